import { inflateBounded } from '../inflate.ts';
import { isDictionary, itemsOf, nameOf, type PdfDictionary, type PdfValue } from './values.ts';

/** Undoes the filters of a stream, as far as they pack bytes; pictures stay as they are. */

export interface Unfiltered {
  readonly bytes: Uint8Array;
  readonly filters: readonly string[];
  /** The filter that was not undone. */
  readonly stoppedAt?: string;
  readonly problem?: string;
}

type Step = { readonly bytes: Uint8Array; readonly problem?: string };
type Filter = (bytes: Uint8Array, maxBytes: number) => Step;

function flate(bytes: Uint8Array, maxBytes: number): Step {
  const zlib = inflateBounded(bytes, 'zlib', maxBytes);
  if (zlib.problem === undefined || zlib.bytes.length > 0) return zlib;
  // Without the two bytes of zlib's header some readers still accept it.
  const raw = inflateBounded(bytes.subarray(2), 'raw', maxBytes);
  return raw.problem === undefined && raw.bytes.length > 0 ? raw : zlib;
}

function asciiHex(bytes: Uint8Array, maxBytes: number): Step {
  const end = bytes.indexOf(0x3e);
  const text = Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('latin1');
  const digits = text.replace(/[^0-9A-Fa-f]+/g, '');
  const even = digits.length % 2 === 0 ? digits : `${digits}0`;
  return { bytes: Buffer.from(even.slice(0, maxBytes * 2), 'hex') };
}

function ascii85(bytes: Uint8Array, maxBytes: number): Step {
  const out: number[] = [];
  let group: number[] = [];
  const flush = (count: number): void => {
    const padded = [...group, 84, 84, 84, 84].slice(0, 5);
    const value = padded.reduce((sum, digit) => sum * 85 + digit, 0);
    for (let index = 0; index < count; index += 1) out.push(Math.floor(value / 256 ** (3 - index)) & 0xff);
    group = [];
  };
  for (const byte of bytes) {
    if (byte === 0x7e || out.length >= maxBytes) break;
    if (byte === 0x7a && group.length === 0) out.push(0, 0, 0, 0);
    else if (byte >= 0x21 && byte <= 0x75) group.push(byte - 0x21);
    if (group.length === 5) flush(4);
  }
  if (group.length > 1) flush(group.length - 1);
  return { bytes: Uint8Array.from(out) };
}

function runLength(bytes: Uint8Array, maxBytes: number): Step {
  const parts: Uint8Array[] = [];
  let total = 0;
  for (let at = 0; at < bytes.length && total < maxBytes; ) {
    const length = bytes[at] ?? 128;
    if (length === 128) break;
    const part =
      length < 128 ? bytes.subarray(at + 1, at + 2 + length) : new Uint8Array(257 - length).fill(bytes[at + 1] ?? 0);
    parts.push(part);
    total += part.length;
    at += length < 128 ? length + 2 : 2;
  }
  return { bytes: Buffer.concat(parts).subarray(0, maxBytes) };
}

function lzw(early: number): Filter {
  return (bytes, maxBytes) => {
    const out = new Uint8Array(Math.min(maxBytes, bytes.length * 1400 + 16));
    // Each word is a place and a length in what was already written.
    const starts = new Uint32Array(4096);
    const lengths = new Uint32Array(4096);
    let size = 258;
    let width = 9;
    let written = 0;
    let previous = -1;
    let previousStart = 0;
    let held = 0;
    let heldBits = 0;
    let at = 0;
    for (;;) {
      while (heldBits < width && at < bytes.length) {
        held = ((held << 8) | (bytes[at] ?? 0)) & 0xffffff;
        heldBits += 8;
        at += 1;
      }
      if (heldBits < width) break;
      const code = (held >>> (heldBits - width)) & ((1 << width) - 1);
      heldBits -= width;
      if (code === 257) break;
      if (code === 256) {
        size = 258;
        width = 9;
        previous = -1;
        continue;
      }
      const previousLength = previous < 256 ? 1 : (lengths[previous] ?? 0);
      if (code > size || (code === size && previous < 0) || (code >= 258 && code > size)) {
        return { bytes: out.subarray(0, written), problem: 'damaged compressed data' };
      }
      const length = code < 256 ? 1 : code === size ? previousLength + 1 : (lengths[code] ?? 0);
      if (written + length > out.length) return { bytes: out.subarray(0, written), problem: 'larger than the limit' };
      const start = written;
      if (code < 256) out[written] = code;
      else if (code === size) {
        out.copyWithin(written, previousStart, previousStart + previousLength);
        out[written + previousLength] = out[previousStart] ?? 0;
      } else out.copyWithin(written, starts[code] ?? 0, (starts[code] ?? 0) + length);
      written += length;
      if (previous >= 0 && size < 4096) {
        starts[size] = previousStart;
        lengths[size] = previousLength + 1;
        size += 1;
      }
      if (size + early >= 1 << width && width < 12) width += 1;
      previous = code;
      previousStart = start;
    }
    return { bytes: out.subarray(0, written) };
  };
}

function numberIn(parameters: PdfDictionary | undefined, key: string, fallback: number): number {
  const value = parameters?.entries.get(key);
  return typeof value === 'number' && Number.isFinite(value) ? Math.floor(value) : fallback;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** PNG predictors; TIFF's (2) for eight bits. */
export function unpredict(bytes: Uint8Array, parameters: PdfDictionary | undefined): Uint8Array {
  const predictor = numberIn(parameters, 'Predictor', 1);
  if (predictor < 2) return bytes;
  const colors = Math.min(32, Math.max(1, numberIn(parameters, 'Colors', 1)));
  const bits = Math.min(16, Math.max(1, numberIn(parameters, 'BitsPerComponent', 8)));
  const columns = Math.min(1 << 20, Math.max(1, numberIn(parameters, 'Columns', 1)));
  const pixel = Math.max(1, (colors * bits) >> 3);
  const row = (colors * bits * columns + 7) >> 3;
  if (predictor === 2) {
    const out = Uint8Array.from(bytes);
    for (let at = 0; at < out.length; at += 1)
      if (at % row >= pixel) out[at] = ((out[at] ?? 0) + (out[at - pixel] ?? 0)) & 0xff;
    return out;
  }
  const rows = Math.ceil(bytes.length / (row + 1));
  const out = new Uint8Array(rows * row);
  for (let line = 0; line < rows; line += 1) {
    const from = line * (row + 1);
    const type = bytes[from] ?? 0;
    for (let column = 0; column < row && from + 1 + column < bytes.length; column += 1) {
      const at = line * row + column;
      const left = column >= pixel ? (out[at - pixel] ?? 0) : 0;
      const up = line > 0 ? (out[at - row] ?? 0) : 0;
      const corner = line > 0 && column >= pixel ? (out[at - row - pixel] ?? 0) : 0;
      const add = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][type] ?? 0;
      out[at] = ((bytes[from + 1 + column] ?? 0) + add) & 0xff;
    }
  }
  return out.subarray(0, Math.max(0, bytes.length - rows));
}

const filters: Readonly<Record<string, (parameters: PdfDictionary | undefined) => Filter>> = {
  FlateDecode: () => flate,
  Fl: () => flate,
  LZWDecode: (parameters) => lzw(numberIn(parameters, 'EarlyChange', 1)),
  LZW: (parameters) => lzw(numberIn(parameters, 'EarlyChange', 1)),
  ASCIIHexDecode: () => asciiHex,
  AHx: () => asciiHex,
  ASCII85Decode: () => ascii85,
  A85: () => ascii85,
  RunLengthDecode: () => runLength,
  RL: () => runLength,
};
const predicting = new Set(['FlateDecode', 'Fl', 'LZWDecode', 'LZW']);
const mostFilters = 16;

export function unfilter(
  raw: Uint8Array,
  dictionary: PdfDictionary,
  resolve: (value: PdfValue | undefined) => PdfValue | undefined,
  maxBytes: number,
): Unfiltered {
  const get = (...keys: string[]): PdfValue | undefined => {
    for (const key of keys) if (dictionary.entries.has(key)) return resolve(dictionary.entries.get(key));
    return undefined;
  };
  const names = itemsOf(get('Filter', 'F'))
    .map((item) => nameOf(resolve(item)) ?? '?')
    .slice(0, mostFilters);
  const parameters = itemsOf(get('DecodeParms', 'DP')).map((item) => resolve(item));
  let bytes = raw;
  for (const [index, name] of names.entries()) {
    if (name === 'Crypt') continue;
    const mine = parameters[index];
    const dictionaryOfFilter = isDictionary(mine) ? mine : undefined;
    const make = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (make === undefined) return { bytes, filters: names, stoppedAt: name };
    const step = make(dictionaryOfFilter)(bytes, maxBytes);
    bytes = predicting.has(name) ? unpredict(step.bytes, dictionaryOfFilter) : step.bytes;
    if (step.problem !== undefined) return { bytes, filters: names, problem: `${name}: ${step.problem}` };
  }
  return { bytes, filters: names };
}
