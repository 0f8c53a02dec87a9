/**
 * Whether anything in these bytes could hold an encoded token. Decoding is dear, and most messages hold nothing that is
 * long enough: only short runs of digits, and no escapes that stand for letters.
 */

export interface Needed {
  /** Digits of base64, and of hex, that hold at least a compressed token. */
  readonly digits: number;
  readonly hexDigits: number;
  /** Tokens consist of letters, digits and underscores alone, so that an escaped quote hides none. */
  readonly isWords: boolean;
}

/** For 64 random hex digits, which nothing squeezes below 34 bytes. */
export const neededForTokens: Needed = { digits: 44, hexDigits: 66, isWords: true };
export const neededForAnything: Needed = { digits: 22, hexDigits: 32, isWords: false };

function table(shape: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (shape.test(String.fromCharCode(byte)) ? 1 : 0));
}

const isDigit = table(/[0-9A-Za-z+/_-]/);
const isHexDigit = table(/[0-9a-fA-F]/);
/** Hex digits, and what may stand between them. */
const isHexRun = table(/[0-9a-fA-F :,;.|_xX-]/);
/** Behind a line, real or as an escape, the next one may go on. */
const isWrap = table(/[\r\n\\%&]/);
const control = /[^\t\n\r -~\x80-\xff]/;

/** What wraps a text leaves lines of at least so many characters. */
const shortestLine = 32;
const fewHexDigits = 10;

type RunJudge = (bytes: Buffer, start: number, end: number) => boolean;

/** Runs of at least `length`. Only every so many bytes is looked at, for no such run fits in between. */
function hasRun(bytes: Buffer, member: Uint8Array, length: number, isEnough: RunJudge): boolean {
  let passed = 0;
  for (let at = length - 1; at < bytes.length; at += length) {
    if (member[bytes[at] as number] === 0) continue;
    let start = at;
    while (start > passed && member[bytes[start - 1] as number] === 1) start -= 1;
    let end = at + 1;
    while (end < bytes.length && member[bytes[end] as number] === 1) end += 1;
    if (end - start >= length && isEnough(bytes, start, end)) return true;
    passed = end;
    at = end;
  }
  return false;
}

function countHex(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) count += isHexDigit[bytes[at] as number] as number;
  return count;
}

function isWrapped(bytes: Buffer, end: number): boolean {
  return end < bytes.length && isWrap[bytes[end] as number] === 1;
}

const slash = 0x5c;
const percent = 0x25;
const ampersand = 0x26;
const isAfterSlash = table(/[ux0-9a-fA-FN{]/);
const hash = 0x23;
const semicolon = 0x3b;
const isLetter = table(/[a-zA-Z]/);
const longestEntity = 10;

/** The `&` of an address has no semicolon behind its name. */
function isEntity(bytes: Buffer, at: number): boolean {
  if (bytes[at + 1] === hash) return true;
  let end = at + 1;
  while (end < at + longestEntity && isLetter[bytes[end] ?? 0] === 1) end += 1;
  return bytes[end] === semicolon;
}

/** Whether such a mark begins an escape that stands for a letter. */
const hidings: readonly (readonly [number, (bytes: Buffer, at: number) => boolean])[] = [
  [slash, (bytes, at) => isAfterSlash[bytes[at + 1] ?? 0] === 1],
  [percent, (bytes, at) => isHexDigit[bytes[at + 1] ?? 0] === 1],
  [ampersand, isEntity],
];

function hasEscapes(bytes: Buffer, isWords: boolean): boolean {
  return hidings.some(([mark, hidesLetter]) => {
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) {
      if (!isWords || hidesLetter(bytes, at)) return true;
    }
    return false;
  });
}

export function isWorthDecoding(bytes: Buffer, { digits, hexDigits, isWords }: Needed): boolean {
  /** A run of hex digits alone is no base64. */
  const isBase64: RunJudge = (all, start, end) =>
    (end - start >= digits || isWrapped(all, end)) && countHex(all, start, end) < end - start;
  const isHex: RunJudge = (all, start, end) => {
    const count = countHex(all, start, end);
    return count >= hexDigits || (count >= fewHexDigits && isWrapped(all, end));
  };
  return (
    hasRun(bytes, isDigit, Math.min(digits, shortestLine), isBase64) ||
    hasRun(bytes, isHexRun, Math.min(hexDigits, shortestLine), isHex) ||
    hasEscapes(bytes, isWords) ||
    control.test(bytes.toString('latin1'))
  );
}
