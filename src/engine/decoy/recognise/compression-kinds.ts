import { brotliDecompressSync, constants } from 'node:zlib';
import { type Inflated, inflate } from './inflate.ts';
import type { Encoding } from './patterns.ts';

export interface CompressionKind {
  readonly encoding: Encoding;
  /** Where the mark that it begins with stands next, or -1; null where it has none. */
  readonly mark: ((bytes: Buffer, from: number) => number) | null;
  readonly markBytes: number;
  decompress(input: Buffer, capBytes: number): Inflated;
}

/** How many bytes tell compressed data from text. */
export const tasteBytes = 32;

const gzipMark = Buffer.from([0x1f, 0x8b, 0x08]);
const gzipHeaderBytes = 10;
const gzipFlags = { checksum: 2, extra: 4, name: 8, comment: 16 } as const;

/** Where the data begins, or null while the header is not complete. */
function afterGzipHeader(input: Buffer): number | null {
  if (input.length < gzipHeaderBytes) return null;
  const flags = input[3] ?? 0;
  let at = gzipHeaderBytes;
  if (flags & gzipFlags.extra) {
    if (input.length < at + 2) return null;
    at += 2 + input.readUInt16LE(at);
  }
  for (const flag of [gzipFlags.name, gzipFlags.comment]) {
    if (!(flags & flag)) continue;
    const end = input.indexOf(0, at);
    if (end === -1) return null;
    at = end + 1;
  }
  return flags & gzipFlags.checksum ? at + 2 : at;
}

const nothing = Buffer.alloc(0);
const open: Inflated = { output: nothing, state: 'open', workBytes: 0 };

function inflateGzip(input: Buffer, capBytes: number): Inflated {
  const start = afterGzipHeader(input);
  return start === null || start > input.length ? open : inflate(input, start, capBytes);
}

const zlibFirst = 0x78;
const zlibSeconds: readonly number[] = [0x01, 0x5e, 0x9c, 0xda];

function findZlib(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(zlibFirst, from); at !== -1; at = bytes.indexOf(zlibFirst, at + 1))
    if (zlibSeconds.includes(bytes[at + 1] ?? -1)) return at;
  return -1;
}

/** Null where more than the cap would come out, since then the decoder gives nothing at all. */
function tryBrotli(input: Buffer, capBytes: number): Inflated | null {
  try {
    const options = { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength: capBytes };
    const output = brotliDecompressSync(input, options);
    return { output, state: 'open', workBytes: output.length };
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? null : { output: nothing, state: 'broken', workBytes: 0 };
  }
}

/** Of a bomb the longest beginning that stays below the cap is taken. */
function decompressBrotli(input: Buffer, capBytes: number): Inflated {
  const whole = tryBrotli(input, capBytes);
  if (whole !== null) return whole;
  let output: Buffer = nothing;
  let workBytes = capBytes;
  let [fits, bursts] = [0, input.length];
  while (bursts - fits > 1) {
    const middle = (fits + bursts) >> 1;
    const tried = tryBrotli(input.subarray(0, middle), capBytes);
    workBytes += tried?.workBytes ?? capBytes;
    if (tried === null) bursts = middle;
    else [output, fits] = [tried.output, middle];
  }
  return { output, state: 'cut', workBytes };
}

export const compressionKinds: readonly CompressionKind[] = [
  {
    encoding: 'gzip',
    mark: (bytes, from) => bytes.indexOf(gzipMark, from),
    markBytes: gzipMark.length,
    decompress: inflateGzip,
  },
  { encoding: 'zlib', mark: findZlib, markBytes: 2, decompress: (input, cap) => inflate(input, 2, cap) },
  { encoding: 'deflate', mark: null, markBytes: 0, decompress: (input, cap) => inflate(input, 0, cap) },
  { encoding: 'brotli', mark: null, markBytes: 0, decompress: decompressBrotli },
];
