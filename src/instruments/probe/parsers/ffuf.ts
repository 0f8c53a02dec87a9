import { asObject, asString } from '../../../base/json-shape.ts';
import type { Aim, Parsed, ScanFinding, ScanOutput } from '../contract.ts';
import { findAlike, statusesOf } from './alike.ts';
import { beginningOf, boundedNumber, boundedText, gather, parserLimits, withoutColours } from './bounds.ts';
import { itemsOf } from './json.ts';
import { linesOf } from './lines.ts';

/**
 * ffuf writes its file at the end, so what it had found when it was stopped is in the words that it prints. Versions 1 and
 * 2 differ in fields that may be missing.
 */

const mostBytes = Number.MAX_SAFE_INTEGER;
const nanosecondsInMs = 1_000_000;

function wordOf(item: unknown): string | undefined {
  const { input } = asObject(item);
  return asString(input) ?? asString(asObject(input).FUZZ);
}

function urlOf(aim: Aim, word: string): string {
  return (aim.url ?? aim.label).replace('FUZZ', () => word);
}

function findingOf(item: unknown, aim: Aim): ScanFinding | null {
  const fields = asObject(item);
  const word = wordOf(item);
  const url = asString(fields.url) ?? (word === undefined ? undefined : urlOf(aim, word));
  const status = boundedNumber(fields.status, 999);
  if (url === undefined || status === null) return null;
  const duration = boundedNumber(fields.duration, mostBytes);
  return {
    url: boundedText(url, 2048),
    word: boundedText(word),
    status,
    length: boundedNumber(fields.length, mostBytes),
    words: boundedNumber(fields.words, mostBytes),
    lines: boundedNumber(fields.lines, mostBytes),
    content_type: boundedText(fields['content-type'], 200),
    redirect: boundedText(fields.redirectlocation),
    duration_ms: duration === null ? null : Math.round(duration / nanosecondsInMs),
  };
}

const unknownAnswer = {
  status: null,
  length: null,
  words: null,
  lines: null,
  content_type: null,
  redirect: null,
  duration_ms: null,
} as const;

/** What ffuf says on its way out, and what it means for the reader. */
const endings: readonly (readonly [says: string, means: string])[] = [
  ['Maximum running time', 'ffuf ran out of time: the end of the word list was not tried'],
  [
    'spurious errors',
    'ffuf stopped because of too many errors: the target does not answer, or not to this many requests',
  ],
  ['keyboard interrupt', 'ffuf was stopped before the end of the word list'],
  ['Encountered error', 'ffuf did not start: it does not take one of its arguments'],
  ['flag provided but not defined', 'ffuf did not start: it does not take one of its arguments'],
];

export function parseFfuf(output: ScanOutput, aim: Aim): Parsed {
  const gathering = gather();
  const seen = new Set<string>();
  const file = output.outputFile === null ? null : beginningOf(output.outputFile);
  const list = file === null ? null : itemsOf(file.text, 'results', parserLimits.findings);
  for (const item of list?.items ?? []) {
    const finding = findingOf(item, aim);
    if (finding === null) gathering.broken('results of ffuf without a URL or a status');
    else {
      gathering.add(finding);
      seen.add(wordOf(item) ?? '');
    }
  }
  if ((list?.broken ?? 0) > 0) gathering.note('the file of ffuf has results that cannot be read');
  if (list?.isWhole !== true) {
    gathering.note('the file of ffuf is missing or cut: what it printed is taken, which has no status');
    for (const line of linesOf(withoutColours(beginningOf(output.stdout).text))) {
      const word = line?.replace(/^\r+/, '') ?? '';
      if (word === '' || word.length > parserLimits.textCharacters || seen.has(word)) continue;
      seen.add(word);
      const url = boundedText(urlOf(aim, word), 2048);
      if (!gathering.add({ url, word: boundedText(word), ...unknownAnswer })) break;
    }
  }
  const said = beginningOf(output.stderr).text;
  for (const [says, means] of endings) if (said.includes(says)) gathering.note(means);
  const parsed = gathering.parsed();
  const alike = findAlike(parsed.findings);
  if (alike.size === 0) return parsed;
  const note = `${alike.size} of ${parsed.findings.length} words were answered alike (status ${statusesOf(alike)}): that they answer says nothing about them; calibrate leaves them out`;
  return { ...parsed, notes: [...parsed.notes, note] };
}
