import { isWhitespace, readValue, skipBlank, type TokenReader } from './tokens.ts';
import { isDictionary, type PdfDictionary, type PdfObject, type PdfValue } from './values.ts';

/** Finds objects by looking for `obj`: a damaged or lying cross-reference table hides nothing. */

export interface Scan {
  readonly objects: readonly PdfObject[];
  readonly trailers: readonly PdfDictionary[];
  readonly notes: readonly string[];
}

const mostObjects = 100_000;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** The number in front of a place, over blanks. */
function numberBefore(bytes: Uint8Array, before: number): { value: number; at: number } | undefined {
  let end = before;
  while (end > 0 && before - end < 16 && isWhitespace(bytes[end - 1])) end -= 1;
  let start = end;
  while (start > 0 && end - start < 10 && isDigit(bytes[start - 1])) start -= 1;
  if (start === end) return undefined;
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + (bytes[at] ?? 0) - 0x30;
  return { value, at: start };
}

interface Span {
  readonly bytes: Uint8Array;
  readonly next: number;
}

function makeStreamFinder(buffer: Buffer): (at: number, value: PdfValue) => Span | undefined {
  // Once there is no end any more, looking again at each object would take quadratic time.
  let noEndFrom = Number.POSITIVE_INFINITY;
  return (at, value) => {
    if (buffer.toString('latin1', at, at + 6) !== 'stream') return undefined;
    let start = at + 6;
    while (buffer[start] === 0x20) start += 1;
    if (buffer[start] === 13) start += 1;
    if (buffer[start] === 10) start += 1;
    const declared = isDictionary(value) ? value.entries.get('Length') : undefined;
    if (typeof declared === 'number' && declared >= 0 && start + declared <= buffer.length) {
      const end = skipBlank(buffer.subarray(0, start + declared + 8), start + declared);
      if (buffer.toString('latin1', end, end + 9) === 'endstream') {
        return { bytes: buffer.subarray(start, start + declared), next: end + 9 };
      }
    }
    const found = start < noEndFrom ? buffer.indexOf('endstream', start, 'latin1') : -1;
    if (found < 0) {
      noEndFrom = Math.min(noEndFrom, start);
      const object = buffer.indexOf('endobj', start, 'latin1');
      const end = object < 0 ? buffer.length : object;
      return { bytes: buffer.subarray(start, end), next: end };
    }
    let end = found;
    if (end > start && buffer[end - 1] === 10) end -= 1;
    if (end > start && buffer[end - 1] === 13) end -= 1;
    return { bytes: buffer.subarray(start, end), next: found + 9 };
  };
}

export function scanObjects(bytes: Uint8Array, tick: () => void): Scan {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader: TokenReader = { bytes, budget: bytes.length * 2 + 200_000 };
  const findStream = makeStreamFinder(buffer);
  const objects: PdfObject[] = [];
  const notes: string[] = [];
  for (let at = buffer.indexOf('obj'); at >= 0; ) {
    tick();
    let next = at + 3;
    const generation = numberBefore(bytes, at);
    const number = generation === undefined ? undefined : numberBefore(bytes, generation.at);
    if (generation !== undefined && number !== undefined) {
      const parsed = readValue(reader, at + 3);
      const after = skipBlank(bytes, parsed.next);
      reader.budget -= (after - parsed.next) >> 4;
      const stream = findStream(after, parsed.value);
      const closed = buffer.toString('latin1', after, after + 6) === 'endobj';
      objects.push({
        number: number.value,
        generation: generation.value,
        offset: number.at,
        value: parsed.value,
        ...(stream === undefined ? {} : { stream: stream.bytes }),
      });
      // What does not close may have swallowed others: they are looked for again, while the budget lasts.
      if (stream !== undefined) next = stream.next;
      else if (closed || reader.budget < 0) next = Math.max(next, after);
    }
    if (objects.length >= mostObjects || reader.budget < 0) {
      notes.push('more objects than are read');
      break;
    }
    at = buffer.indexOf('obj', next);
  }
  return { objects, trailers: scanTrailers(buffer, tick), notes };
}

function scanTrailers(buffer: Buffer, tick: () => void): PdfDictionary[] {
  const trailers: PdfDictionary[] = [];
  const reader: TokenReader = { bytes: buffer, budget: buffer.length + 10_000 };
  for (let at = buffer.indexOf('trailer'); at >= 0 && trailers.length < 1000; at = buffer.indexOf('trailer', at + 7)) {
    tick();
    const { value } = readValue(reader, at + 7);
    if (isDictionary(value)) trailers.push(value);
  }
  return trailers;
}
