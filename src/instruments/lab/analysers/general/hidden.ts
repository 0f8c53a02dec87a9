import type { Analyser, Child, Json, LabFinding, SampleText } from '../../contract.ts';
import { findWord } from '../../recognise/bytes.ts';
import { findHidden, type Hidden, uncover } from './find-hidden.ts';
import { peSize } from './pe-size.ts';

const mostPerCipher = 200;
const mostShown = 50;
const mostChildren = 8;
const excerptBytes = 120;
const stubSearchBytes = 512;
const mostBytes: Record<string, number> = {
  quick: 4 * 1024 * 1024,
  standard: 32 * 1024 * 1024,
  deep: 256 * 1024 * 1024,
};

function excerpt(bytes: Uint8Array, hidden: Hidden): string {
  const plain = uncover(bytes, hidden, hidden.offset, excerptBytes);
  const isWide = hidden.plaintext.includes('\0');
  const text = Buffer.from(plain).toString(isWide ? 'utf16le' : 'latin1');
  return /^[\x20-\x7e]+/.exec(text)?.[0] ?? hidden.plaintext;
}

/** A PE has its words a little behind its beginning. */
function uncoverPe(bytes: Uint8Array, hidden: Hidden): Child | null {
  if (!hidden.plaintext.startsWith('This program')) return null;
  const from = Math.max(0, hidden.offset - stubSearchBytes);
  const before = uncover(bytes, hidden, from, hidden.offset - from);
  for (let at = findWord(before, 'MZ'); at !== -1; at = findWord(before, 'MZ', at + 1)) {
    const plain = uncover(bytes, hidden, from + at, bytes.length - from - at);
    const size = peSize(plain, 0);
    if (size === 0) continue;
    const place = (from + at).toString(16);
    const how = `${hidden.cipher.title}, key 0x${hidden.key.toString(16)}, at offset 0x${place}`;
    return { name: `${hidden.cipher.id}-${place}.pe`, bytes: plain.slice(0, size), how };
  }
  return null;
}

function describe(bytes: Uint8Array, hidden: Hidden): { [key: string]: Json } {
  const { cipher, key, offset } = hidden;
  return { cipher: cipher.id, key, offset, text: excerpt(bytes, hidden) };
}

function findingOf(bytes: Uint8Array, found: readonly Hidden[], children: readonly Child[]): readonly LabFinding[] {
  if (found.length === 0) return [];
  const hasProgram = children.length > 0;
  return [
    {
      rule: hasProgram ? 'general.hidden.program' : 'general.hidden.text',
      title: hasProgram ? 'A program lies inside behind a simple cipher' : 'Text lies inside behind a simple cipher',
      severity: hasProgram ? 'high' : 'medium',
      evidenceType: 'artifact',
      evidence: found.slice(0, 10).map((hidden) => ({
        where: `offset 0x${hidden.offset.toString(16)}`,
        text: `${hidden.cipher.title}, key 0x${hidden.key.toString(16)}: ${excerpt(bytes, hidden)}`,
      })),
      benign: 'Protection programs keep their patterns, and games their texts, behind such ciphers.',
      attack: ['T1027.013', 'T1140'],
      mbc: ['E1027'],
    },
  ];
}

export const hidden: Analyser = {
  id: 'hidden',
  title: 'Text and programs behind one-byte ciphers',
  version: 1,
  kinds: 'any',
  depth: 'quick',
  timeoutMs: 30_000,
  analyse({ bytes, depth, tick }) {
    const searched = bytes.subarray(0, mostBytes[depth] ?? 0);
    const found = findHidden(searched, mostPerCipher, tick);
    const children: Child[] = [];
    for (const one of found) {
      if (children.length >= mostChildren) break;
      tick();
      const child = uncoverPe(searched, one);
      if (child !== null && !children.some(({ name }) => name === child.name)) children.push(child);
    }
    const shown = found.slice(0, mostShown).map((one) => describe(searched, one));
    const texts: SampleText[] = [
      { label: 'behind a simple cipher', text: shown.map(({ text }) => String(text)).join('\n') },
    ];
    return {
      facts: { total: found.length, found: shown },
      findings: findingOf(searched, found, children),
      texts: found.length === 0 ? [] : texts,
      children,
      notes: searched.length < bytes.length ? [`only the first ${searched.length} bytes were searched`] : [],
    };
  },
};
