import { mebibyte } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Parsed, ScanFinding } from '../contract.ts';

/** What is taken of a program's output, whatever the program or its target writes. */
export const parserLimits = {
  findings: 5000,
  notes: 50,
  textCharacters: 500,
  listItems: 50,
  inputBytes: 8 * mebibyte,
  /** Of those that are not empty. */
  lines: 100_000,
  /** So many that cannot be read, and the rest is not tried: an error costs more than what it is about. */
  broken: 2000,
  lineCharacters: mebibyte / 4,
  depth: 64,
} as const;

function withoutHalf(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** One line with every control character spelled out; null for what is no text or an empty one. */
export function boundedText(value: unknown, most: number = parserLimits.textCharacters): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const begin = withoutHalf(value.slice(0, most + 1));
  const shown = forTerminal(untrusted(begin, begin.length * 4));
  return shown.length > most ? `${withoutHalf(shown.slice(0, most - 1))}…` : shown;
}

export function boundedTexts(value: unknown, most: number = parserLimits.listItems, characters?: number): string[] {
  const items = Array.isArray(value) ? value.slice(0, most) : typeof value === 'string' ? [value] : [];
  return items.flatMap((item) => boundedText(item, characters) ?? []);
}

/** A whole number from 0 to `most`, also when it is written as text. */
export function boundedNumber(value: unknown, most: number): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= most ? number : null;
}

/** The beginning of an output as text, and whether that is all of it. */
export function beginningOf(bytes: Buffer): { readonly text: string; readonly isAll: boolean } {
  const isAll = bytes.length <= parserLimits.inputBytes;
  return { text: bytes.subarray(0, parserLimits.inputBytes).toString('utf8'), isAll };
}

/** Escape sequences of terminals, which programs write also where there is none. */
export function withoutColours(text: string): string {
  return text.replace(/\u001b\[[0-9;]{0,16}[A-Za-z]/g, '');
}

export interface Gathering {
  /** False when there are enough, and reading on is of no use. */
  readonly add: (finding: ScanFinding) => boolean;
  readonly note: (text: string) => void;
  /** Something that should have been a finding and is none; counted, and told once. */
  readonly broken: (what: string) => void;
  readonly parsed: () => Parsed;
}

export function gather(): Gathering {
  const findings: ScanFinding[] = [];
  const notes = new Set<string>();
  const broken = new Map<string, number>();
  let isFull = false;
  return {
    add(finding) {
      if (findings.length < parserLimits.findings) findings.push(finding);
      else isFull = true;
      return !isFull;
    },
    note(text) {
      if (notes.size < parserLimits.notes) notes.add(text);
    },
    broken(what) {
      if (broken.has(what) || broken.size < parserLimits.notes) broken.set(what, (broken.get(what) ?? 0) + 1);
    },
    parsed() {
      const counted = [...broken].map(([what, count]) => `${what}: ${count} left out`);
      const full = isFull ? [`more than ${parserLimits.findings} findings: the rest is only in the raw output`] : [];
      return { findings, notes: [...notes, ...counted, ...full] };
    },
  };
}
