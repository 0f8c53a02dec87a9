/**
 * Whether a text is canonical JSON, without building what it says: the same answer as
 * `canonicalJson(JSON.parse(text)) === text`, several times as quick.
 */

const quote = 0x22;
const backslash = 0x5c;
const plain = 0x20;
const ascii = 0x7f;

/** Where the string that begins at `at` ends, one past its quote; -1 when it is none, or could be written otherwise. */
export function endOfString(text: string, at: number): number {
  if (text.charCodeAt(at) !== quote) return -1;
  let isPlain = true;
  for (let index = at + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return isPlain || isWrittenCanonically(text.slice(at, index + 1)) ? index + 1 : -1;
    if (code < plain) return -1;
    if (code === backslash) index += 1;
    if (code === backslash || code > ascii) isPlain = false;
  }
  return -1;
}

function isWrittenCanonically(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

const words = ['true', 'false', 'null'] as const;
const numberPattern = /-?\d[\d.e+-]*/y;

/** One past the digits of a whole number that is surely written as JSON writes it; -1 when it takes a longer look. */
function endOfDigits(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first < 0x31 || first > 0x39) return -1;
  for (let index = at + 1; index < at + 15; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x2c || code === 0x7d || code === 0x5d) return index;
    if (!(code >= 0x30 && code <= 0x39)) return -1;
  }
  return -1;
}

function endOfNumber(text: string, at: number): number {
  const quick = endOfDigits(text, at);
  if (quick !== -1) return quick;
  numberPattern.lastIndex = at;
  const found = numberPattern.exec(text)?.[0];
  if (found === undefined || String(Number(found)) !== found || Object.is(Number(found), -0)) return -1;
  return at + found.length;
}

function endOfObject(text: string, start: number, depth: number): number {
  let at = start + 1;
  if (text.charCodeAt(at) === 0x7d) return at + 1;
  let before: string | null = null;
  while (true) {
    const end = endOfString(text, at);
    if (end === -1 || text.charCodeAt(end) !== 0x3a) return -1;
    const key: string = keyOf(text.slice(at, end));
    if (before !== null && !(before < key)) return -1;
    before = key;
    at = endOfValue(text, end + 1, depth - 1);
    if (at === -1) return -1;
    const code = text.charCodeAt(at);
    at += 1;
    if (code === 0x7d) return at;
    if (code !== 0x2c) return -1;
  }
}

function keyOf(written: string): string {
  return written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);
}

function endOfArray(text: string, start: number, depth: number): number {
  let at = start + 1;
  if (text.charCodeAt(at) === 0x5d) return at + 1;
  while (true) {
    at = endOfValue(text, at, depth - 1);
    if (at === -1) return -1;
    const code = text.charCodeAt(at);
    at += 1;
    if (code === 0x5d) return at;
    if (code !== 0x2c) return -1;
  }
}

/** One past the value that begins at `at`; -1 when there is none, or not in canonical form, or nested too deeply. */
export function endOfValue(text: string, at: number, depth: number): number {
  if (depth < 0) return -1;
  const code = text.charCodeAt(at);
  if (code === quote) return endOfString(text, at);
  if (code === 0x7b) return endOfObject(text, at, depth);
  if (code === 0x5b) return endOfArray(text, at, depth);
  // Letters are above digits and the minus.
  if (code < 0x61) return endOfNumber(text, at);
  const word = words.find((each) => text.startsWith(each, at));
  return word === undefined ? -1 : at + word.length;
}

export function isCanonicalJson(text: string, depth: number): boolean {
  return endOfValue(text, 0, depth) === text.length;
}
