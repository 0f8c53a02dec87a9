import type { Encoding } from './patterns.ts';

/** Ways of writing one character as several. */

export interface Escape {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** How many bytes the escape itself takes. */
  readonly length: number;
}

/** The longest escape that is understood, `&#x0000041;` and its like. */
export const longestEscapeBytes = 12;

interface EscapeForm {
  readonly encoding: Encoding;
  readonly shape: RegExp;
  /** The code point, or null where it is none. */
  read(captured: string): number | null;
}

const named: Readonly<Record<string, number>> = {
  amp: 38,
  lt: 60,
  gt: 62,
  quot: 34,
  apos: 39,
  sol: 47,
  plus: 43,
  equals: 61,
};
const single: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  b: 8,
  f: 12,
  '"': 34,
  "'": 39,
  '\\': 92,
  '/': 47,
};
const fromHex = (digits: string): number => Number.parseInt(digits, 16);

const forms: Readonly<Record<string, readonly EscapeForm[]>> = {
  '%': [{ encoding: 'url-encoded', shape: /^%([0-9a-fA-F]{2})/, read: fromHex }],
  '\\': [
    { encoding: 'json-escaped', shape: /^\\u([0-9a-fA-F]{4})/, read: fromHex },
    { encoding: 'json-escaped', shape: /^\\x([0-9a-fA-F]{2})/, read: fromHex },
    { encoding: 'json-escaped', shape: /^\\([nrtbf"'\\/])/, read: (letter) => single[letter] ?? null },
  ],
  '&': [
    { encoding: 'html-escaped', shape: /^&#([0-9]{1,8});/, read: Number },
    { encoding: 'html-escaped', shape: /^&#[xX]([0-9a-fA-F]{1,7});/, read: fromHex },
    { encoding: 'html-escaped', shape: /^&([a-z]{2,6});/, read: (name) => named[name] ?? null },
  ],
};

export const escapeMarks: readonly number[] = Object.keys(forms).map((mark) => mark.charCodeAt(0));

/** Bytes that the second character of an escape may be; most marks in ordinary text are followed by something else. */
const second = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[0-9a-zA-F#"'\\/]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

const largestCodePoint = 0x10ffff;

/** A code below 256 is read as a byte: bytes that are no text are escaped as such codes more often than letters are. */
function encodeCharacter(code: number): Buffer {
  if (code < 0x100) return Buffer.from([code]);
  return Buffer.from(code > largestCodePoint ? '' : String.fromCodePoint(code), 'utf8');
}

/** The escape that begins at `at`, or null where there is none. */
export function readEscape(bytes: Buffer, at: number): Escape | null {
  if (second[bytes[at + 1] ?? 0] === 0) return null;
  const text = bytes.toString('latin1', at, at + longestEscapeBytes);
  for (const { encoding, shape, read } of forms[text[0] ?? ''] ?? []) {
    const [whole, captured] = shape.exec(text) ?? [];
    const code = captured === undefined ? null : read(captured);
    if (whole !== undefined && code !== null) return { encoding, bytes: encodeCharacter(code), length: whole.length };
  }
  return null;
}
