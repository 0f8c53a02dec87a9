import { rarestWord } from './frequency.ts';

/**
 * Compares a text of a few words with bytes, around the word that was found. Blanks may be any, escapes of JSON among
 * them, and quotes are all alike. It may say yes too often, and never no for what an expression would match.
 */

const blank = 0x20;
const apostrophe = 0x27;
const quote = 0x22;
const backslash = 0x5c;

const tableOf = (codes: readonly number[]): Uint8Array => {
  const table = new Uint8Array(256);
  for (const code of codes) table[code] = 1;
  return table;
};
/** Marks of emphasis are taken out of sentences, so they may stand wherever a blank does. */
const blanks = tableOf([9, 10, 11, 12, 13, 0x20, 0xa0, 0x2a, 0x5f]);
/** The letters of `\n`, `\r` and `\t`. */
const escaped = tableOf([0x6e, 0x72, 0x74]);
/** Of curly quotes only the lower byte is left. */
const apostrophes = tableOf([apostrophe, 0x18, 0x19, 0x1a, 0xbc]);
const quotes = tableOf([quote, 0x1c, 0x1d, 0x1e, 0xab, 0xbb]);

function isAlike(byte: number, wanted: number): boolean {
  if (byte === wanted || (byte >= 0x41 && byte <= 0x5a && (byte | 0x20) === wanted)) return true;
  if (wanted === apostrophe) return apostrophes[byte] === 1;
  return wanted === quote && quotes[byte] === 1;
}

/** Behind the blanks that begin here, or the same place where there are none. */
function skipForward(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at] ?? 0;
    if (blanks[byte] === 1) at += 1;
    else if (byte === backslash && escaped[bytes[at + 1] ?? 0] === 1) at += 2;
    else return at;
  }
}

function skipBackward(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at] ?? 0;
    if (blanks[byte] === 1) at -= 1;
    else if (escaped[byte] === 1 && bytes[at - 1] === backslash) at -= 2;
    else return at;
  }
}

const isEmphasis = (code: number): boolean => code === 0x2a || code === 0x5f;

function goesOn(bytes: Buffer, from: number, wanted: string, start: number): boolean {
  let at = from;
  for (let index = start; index < wanted.length; index += 1) {
    const want = wanted.charCodeAt(index);
    if (want === blank) {
      const behind = skipForward(bytes, at);
      if (behind === at) return false;
      at = behind;
      continue;
    }
    while (isEmphasis(bytes[at] ?? 0) && !isEmphasis(want)) at += 1;
    if (bytes[at] === backslash && (want === backslash || quotes[want] === 1 || want === apostrophe)) {
      const next = bytes[at + 1] ?? 0;
      if (next === backslash || next === quote) at += 1;
    }
    if (!isAlike(bytes[at] ?? 0, want)) return false;
    at += 1;
  }
  return true;
}

function goesBack(bytes: Buffer, from: number, wanted: string, start: number): boolean {
  let at = from;
  for (let index = start; index >= 0; index -= 1) {
    const want = wanted.charCodeAt(index);
    if (want === blank) {
      const before = skipBackward(bytes, at);
      if (before === at) return false;
      at = before;
      continue;
    }
    while (isEmphasis(bytes[at] ?? 0) && !isEmphasis(want)) at -= 1;
    if (!isAlike(bytes[at] ?? 0, want)) return false;
    at -= 1;
    if ((want === quote || want === backslash) && bytes[at] === backslash) at -= 1;
  }
  return true;
}

/** A text to look for, and the part of it that is looked for first. */
export interface Spread {
  readonly text: string;
  readonly word: string;
  readonly offset: number;
}

export function spreadOf(text: string): Spread {
  const word = rarestWord(text);
  return { text, word, offset: text.indexOf(word) };
}

/** `at` is where its word stands. */
export function stands(bytes: Buffer, at: number, { text, word, offset }: Spread): boolean {
  if (text.length === word.length) return true;
  return goesOn(bytes, at + word.length, text, offset + word.length) && goesBack(bytes, at - 1, text, offset - 1);
}
