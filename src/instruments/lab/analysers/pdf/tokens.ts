import { emptyDictionary, type PdfName, type PdfString, type PdfValue } from './values.ts';

/** A tolerant reader of PDF values. Each reader has a budget of steps, so that no nesting makes it slow. */

export interface Parsed {
  readonly value: PdfValue;
  readonly next: number;
}

export interface TokenReader {
  readonly bytes: Uint8Array;
  /** Steps left: below zero nothing is read any more. */
  budget: number;
}

const mostDepth = 60;
const mostItems = 200_000;

const whitespace = new Set([0, 9, 10, 12, 13, 32]);
const delimiters = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)));

export function isWhitespace(byte: number | undefined): boolean {
  return byte !== undefined && whitespace.has(byte);
}

function isRegular(byte: number | undefined): byte is number {
  return byte !== undefined && !whitespace.has(byte) && !delimiters.has(byte);
}

export function skipBlank(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    while (isWhitespace(bytes[at])) at += 1;
    if (bytes[at] !== 0x25) return at;
    while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at += 1;
  }
}

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function readName(reader: TokenReader, from: number): { value: PdfName; next: number } {
  const { bytes } = reader;
  let at = from + 1;
  let value = '';
  let disguised = false;
  while (isRegular(bytes[at]) && value.length < 1000) {
    const high = hexValue(bytes[at + 1]);
    const low = hexValue(bytes[at + 2]);
    if (bytes[at] === 0x23 && high >= 0 && low >= 0) {
      const character = String.fromCharCode(high * 16 + low);
      if (/[A-Za-z0-9]/.test(character)) disguised = true;
      value += character;
      at += 3;
    } else {
      value += String.fromCharCode(bytes[at] ?? 0);
      at += 1;
    }
  }
  while (isRegular(bytes[at])) at += 1;
  return { value: { type: 'name', value, disguised }, next: at };
}

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

function readLiteral(reader: TokenReader, from: number): { value: PdfString; next: number } {
  const { bytes } = reader;
  const out: number[] = [];
  let depth = 1;
  let at = from + 1;
  for (; at < bytes.length && depth > 0; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x28) depth += 1;
    if (byte === 0x29) {
      depth -= 1;
      if (depth === 0) continue;
    }
    if (byte !== 0x5c) {
      out.push(byte);
      continue;
    }
    at += 1;
    const next = bytes[at] ?? 0;
    if (next >= 0x30 && next <= 0x37) {
      let code = next - 0x30;
      for (let more = 0; more < 2; more += 1) {
        const digit = bytes[at + 1] ?? 0;
        if (digit < 0x30 || digit > 0x37) break;
        code = code * 8 + digit - 0x30;
        at += 1;
      }
      out.push(code & 0xff);
    } else if (next === 13) {
      if (bytes[at + 1] === 10) at += 1;
    } else if (next !== 10) out.push(escapes[String.fromCharCode(next)] ?? next);
  }
  reader.budget -= at - from;
  return { value: { type: 'string', bytes: Uint8Array.from(out) }, next: at };
}

function readHex(reader: TokenReader, from: number): { value: PdfString; next: number } {
  const { bytes } = reader;
  const out: number[] = [];
  let high = -1;
  let at = from + 1;
  for (; at < bytes.length && bytes[at] !== 0x3e; at += 1) {
    const digit = hexValue(bytes[at]);
    if (digit < 0) continue;
    if (high < 0) high = digit;
    else {
      out.push(high * 16 + digit);
      high = -1;
    }
  }
  if (high >= 0) out.push(high * 16);
  reader.budget -= at - from;
  return { value: { type: 'string', bytes: Uint8Array.from(out) }, next: at + 1 };
}

/** `12 0 R` or a plain number. */
function readNumber(reader: TokenReader, word: string, next: number): Parsed {
  const value = Number(word);
  if (!/^\d{1,10}$/.test(word)) return { value: Number.isFinite(value) ? value : 0, next };
  const tail = Buffer.from(
    reader.bytes.buffer,
    reader.bytes.byteOffset + next,
    Math.min(24, reader.bytes.length - next),
  );
  const reference = /^[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+R(?![A-Za-z0-9])/.exec(tail.toString('latin1'));
  if (reference === null) return { value, next };
  return {
    value: { type: 'reference', number: value, generation: Number(reference[1]) },
    next: next + reference[0].length,
  };
}

/** These end an object, whatever is still open. */
const enders = new Set(['endobj', 'stream', 'endstream', 'obj', 'xref', 'trailer', 'startxref']);

function isEnder(value: PdfValue): boolean {
  return typeof value === 'object' && value.type === 'word' && enders.has(value.value);
}

function readArray(reader: TokenReader, from: number, depth: number): Parsed {
  const items: PdfValue[] = [];
  let at = from + 1;
  while (reader.budget > 0 && items.length < mostItems) {
    at = skipBlank(reader.bytes, at);
    if (at >= reader.bytes.length) break;
    if (reader.bytes[at] === 0x5d) return { value: { type: 'array', items }, next: at + 1 };
    if (reader.bytes[at] === 0x3e) break;
    const item = readValue(reader, at, depth + 1);
    if (isEnder(item.value)) break;
    items.push(item.value);
    at = item.next;
  }
  return { value: { type: 'array', items }, next: at };
}

function readDictionary(reader: TokenReader, from: number, depth: number): Parsed {
  const entries = new Map<string, PdfValue>();
  let at = from + 2;
  let steps = 0;
  while (reader.budget > 0 && steps < mostItems) {
    steps += 1;
    at = skipBlank(reader.bytes, at);
    if (at >= reader.bytes.length) break;
    if (reader.bytes[at] === 0x3e) return { value: { type: 'dictionary', entries }, next: at + 2 };
    const key = readValue(reader, at, depth + 1);
    if (isEnder(key.value)) break;
    at = key.next;
    if (typeof key.value !== 'object' || key.value.type !== 'name') continue;
    at = skipBlank(reader.bytes, at);
    if (at >= reader.bytes.length || reader.bytes[at] === 0x3e) continue;
    const value = readValue(reader, at, depth + 1);
    if (isEnder(value.value)) break;
    at = value.next;
    entries.set(key.value.value, value.value);
    if (key.value.disguised) entries.set(`#${key.value.value}`, key.value);
  }
  return { value: { type: 'dictionary', entries }, next: at };
}

/** The value at a place; always moves on by at least one byte. */
export function readValue(reader: TokenReader, from: number, depth = 0): Parsed {
  reader.budget -= 1;
  const { bytes } = reader;
  const at = skipBlank(bytes, from);
  reader.budget -= (at - from) >> 4;
  if (at >= bytes.length || depth > mostDepth || reader.budget < 0) return { value: emptyDictionary, next: at + 1 };
  const byte = bytes[at] ?? 0;
  if (byte === 0x2f) return readName(reader, at);
  if (byte === 0x28) return readLiteral(reader, at);
  if (byte === 0x5b) return readArray(reader, at, depth);
  if (byte === 0x3c) return bytes[at + 1] === 0x3c ? readDictionary(reader, at, depth) : readHex(reader, at);
  if (!isRegular(byte)) return { value: { type: 'word', value: String.fromCharCode(byte) }, next: at + 1 };
  let end = at;
  while (isRegular(bytes[end])) end += 1;
  const word = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(end - at, 64)).toString('latin1');
  reader.budget -= (end - at) >> 4;
  if (/^[+-]?[\d.]/.test(word)) return readNumber(reader, word, end);
  return { value: { type: 'word', value: word }, next: end };
}
