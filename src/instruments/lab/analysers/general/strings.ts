import type { Analyser, Json, SampleText } from '../../contract.ts';
import { type FoundString, findStrings, usualLimits } from './find-strings.ts';
import { stringKinds } from './string-kinds.ts';

const mostInteresting = 200;
const mostFirst = 40;
const shownCharacters = 300;
const classifiedCharacters = 2000;
const textCharacters = 4 * 1024 * 1024;

interface Ranked {
  readonly found: FoundString;
  readonly kind: string;
  readonly rank: number;
}

function classify(found: FoundString): Ranked | null {
  const head = found.text.slice(0, classifiedCharacters);
  const kind = stringKinds.find(({ pattern }) => pattern.test(head));
  return kind === undefined ? null : { found, kind: kind.id, rank: kind.rank };
}

const show = ({ offset, encoding, text }: FoundString): { [key: string]: Json } => ({
  offset,
  encoding,
  text: text.slice(0, shownCharacters),
});

/** One text per encoding, a string a line, in which indicators are looked for. */
function joinTexts(strings: readonly FoundString[]): readonly SampleText[] {
  const lines = new Map<string, string[]>();
  let room = textCharacters;
  for (const { encoding, text } of strings) {
    room -= text.length + 1;
    if (room < 0) break;
    const list = lines.get(encoding) ?? [];
    lines.set(encoding, list);
    list.push(text);
  }
  return [...lines].map(([encoding, list]) => ({ label: `strings (${encoding})`, text: list.join('\n') }));
}

export const strings: Analyser = {
  id: 'strings',
  title: 'Strings in every encoding',
  version: 1,
  kinds: 'any',
  depth: 'quick',
  timeoutMs: 30_000,
  analyse({ bytes, tick }) {
    const { strings: all, isCut } = findStrings(bytes, tick);
    const ranked: Ranked[] = [];
    const counts: Record<string, number> = {};
    const byKind: Record<string, number> = {};
    const seen = new Set<string>();
    for (const [index, found] of all.entries()) {
      if (index % 256 === 0) tick();
      counts[found.encoding] = (counts[found.encoding] ?? 0) + 1;
      const one = classify(found);
      if (one === null) continue;
      byKind[one.kind] = (byKind[one.kind] ?? 0) + 1;
      if (seen.has(found.text)) continue;
      seen.add(found.text);
      ranked.push(one);
    }
    const best = ranked.toSorted((left, right) => left.rank - right.rank || left.found.offset - right.found.offset);
    const facts = {
      total: all.length,
      least_characters: usualLimits.least,
      by_encoding: counts,
      by_kind: byKind,
      interesting_total: ranked.length,
      interesting: best.slice(0, mostInteresting).map(({ found, kind }) => ({ kind, ...show(found) })),
      first: all.slice(0, mostFirst).map(show),
    };
    const notes = isCut ? [`there are more strings than the ${all.length} that were taken`] : [];
    return { facts, findings: [], texts: joinTexts(all), children: [], notes };
  },
};
