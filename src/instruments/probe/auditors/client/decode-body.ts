import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { clientLimits } from './limits.ts';

/** What was packed for the way, unpacked up to a cap: a few bytes can stand for gigabytes. */

export interface Bytes {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

const lenient = { finishFlush: constants.Z_SYNC_FLUSH };

/** `deflate` is zlib by the standard and bare with many servers; the first byte tells. */
const isZlib = (packed: Buffer): boolean => ((packed[0] ?? 0) & 0x0f) === 8;

const decoders: Readonly<Record<string, (packed: Buffer) => Transform>> = {
  gzip: () => createGunzip(lenient),
  'x-gzip': () => createGunzip(lenient),
  deflate: (packed) => (isZlib(packed) ? createInflate(lenient) : createInflateRaw(lenient)),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};

function unpack(decoder: Transform, packed: Buffer, most: number): Promise<Bytes> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const finish = (isCut: boolean): void => {
      resolve({ bytes: Buffer.concat(parts), isCut });
      decoder.destroy();
    };
    decoder.on('data', (part: Buffer) => {
      const left = most - length;
      parts.push(part.subarray(0, left));
      length += Math.min(part.length, left);
      if (part.length > left) finish(true);
    });
    decoder.once('end', () => finish(false));
    decoder.on('error', () => finish(true));
    decoder.end(packed);
  });
}

/** Never rejects. An encoding that is not known leaves the bytes as they are. */
export async function decodeBody(body: Bytes, encodings: readonly string[]): Promise<Bytes> {
  let { bytes, isCut } = body;
  for (const name of encodings.slice(-clientLimits.encodings).toReversed()) {
    const make = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (make === undefined) return { bytes, isCut };
    const unpacked = await unpack(make(bytes), bytes, clientLimits.bodyBytes);
    bytes = unpacked.bytes;
    isCut ||= unpacked.isCut;
  }
  return { bytes, isCut };
}
