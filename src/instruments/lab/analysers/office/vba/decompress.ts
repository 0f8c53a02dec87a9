import { u16 } from '../bytes.ts';

/** The compression that VBA keeps its sources in: chunks of 4096 bytes, each of literals and copies. */

const chunkBytes = 4096;
const maximalBytes = 4 * 1024 * 1024;

export interface Decompressed {
  readonly bytes: Uint8Array;
  /** The container kept to its own rules up to its end. */
  readonly isWhole: boolean;
}

/** How many bits of a copy say how far back it reaches: as many as the place in the chunk needs. */
function offsetBits(position: number): number {
  return Math.max(Math.ceil(Math.log2(position)), 4);
}

function unpackChunk(bytes: Uint8Array, from: number, to: number, out: Uint8Array, start: number): number {
  let written = start;
  for (let at = from; at < to; ) {
    const flags = bytes[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < to; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        if (written >= out.length) return written;
        out[written++] = bytes[at++] ?? 0;
        continue;
      }
      const token = u16(bytes, at);
      at += 2;
      const position = written - start;
      if (position === 0) return -1;
      const bits = offsetBits(position);
      const length = (token & (0xffff >> bits)) + 3;
      const offset = (token >> (16 - bits)) + 1;
      if (offset > position) return -1;
      for (let index = 0; index < length && written < out.length; index += 1) {
        out[written] = out[written - offset] ?? 0;
        written += 1;
      }
    }
  }
  return written;
}

export function decompressVba(bytes: Uint8Array, from: number, tick: () => void): Decompressed {
  const parts: Uint8Array[] = [];
  if (bytes[from] !== 1) return { bytes: new Uint8Array(), isWhole: false };
  let total = 0;
  for (let at = from + 1; at + 2 < bytes.length; ) {
    tick();
    const header = u16(bytes, at);
    const isSigned = ((header >> 12) & 7) === 3;
    const end = Math.min(at + (header & 0xfff) + 3, bytes.length);
    if (!isSigned || total > maximalBytes) return { bytes: Buffer.concat(parts), isWhole: false };
    if ((header & 0x8000) === 0) {
      parts.push(bytes.subarray(at + 2, Math.min(at + 2 + chunkBytes, bytes.length)));
      at += 2 + chunkBytes;
    } else {
      const out = new Uint8Array(chunkBytes);
      const written = unpackChunk(bytes, at + 2, end, out, 0);
      if (written < 0) return { bytes: Buffer.concat(parts), isWhole: false };
      parts.push(out.subarray(0, written));
      at = end;
    }
    total += parts.at(-1)?.length ?? 0;
  }
  return { bytes: Buffer.concat(parts), isWhole: parts.length > 0 };
}
