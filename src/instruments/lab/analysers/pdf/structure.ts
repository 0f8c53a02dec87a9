import { skipBlank } from './tokens.ts';

/** How the file is built around its objects. */
export interface PdfStructure {
  readonly headerOffset: number;
  readonly version?: string;
  readonly ends: number;
  readonly startXrefs: readonly number[];
  readonly keywordCounts: Readonly<Record<string, number>>;
  /** What stands after the last end. */
  readonly trailing: Uint8Array;
}

function countOf(buffer: Buffer, word: string, tick: () => void): number {
  let count = 0;
  for (let at = buffer.indexOf(word); at >= 0; at = buffer.indexOf(word, at + word.length)) {
    count += 1;
    if (count % 4096 === 0) tick();
  }
  return count;
}

export function readStructure(bytes: Uint8Array, tick: () => void): PdfStructure {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerOffset = buffer.subarray(0, 1_048_576).indexOf('%PDF-');
  const version = /^%PDF-(\d\.\d)/.exec(buffer.toString('latin1', headerOffset, headerOffset + 8))?.[1];
  const count = (word: string): number => countOf(buffer, word, tick);
  const startXrefs: number[] = [];
  for (
    let at = buffer.indexOf('startxref');
    at >= 0 && startXrefs.length < 100;
    at = buffer.indexOf('startxref', at + 9)
  ) {
    const from = skipBlank(buffer.subarray(0, at + 64), at + 9);
    const digits = /^\d{1,10}/.exec(buffer.toString('latin1', from, from + 10));
    if (digits !== null) startXrefs.push(Number(digits[0]));
  }
  const ends = count('%%EOF');
  const endobj = count('endobj');
  const endstream = count('endstream');
  const startxref = count('startxref');
  const last = buffer.lastIndexOf('%%EOF');
  let after = last < 0 ? bytes.length : last + 5;
  if (buffer[after] === 13) after += 1;
  if (buffer[after] === 10) after += 1;
  return {
    headerOffset,
    ...(version === undefined ? {} : { version }),
    ends,
    startXrefs,
    keywordCounts: {
      obj: count('obj') - endobj,
      endobj,
      stream: count('stream') - endstream,
      endstream,
      xref: count('xref') - startxref,
      trailer: count('trailer'),
      startxref,
    },
    trailing: bytes.subarray(after),
  };
}
