import { inflateSync } from 'node:zlib';
import { cut, isCompound, u16, u32 } from '../bytes.ts';

/** Objects inside a PowerPoint 97 document: compound files of their own, most of them compressed. */

const containerVersion = 0xf;
const objectStorage = 0x1011;
const maximalObjects = 50;
const maximalObjectBytes = 16 * 1024 * 1024;

export interface PowerPointObject {
  readonly at: number;
  readonly content: Uint8Array;
}

function contentOf(data: Uint8Array, isCompressed: boolean): Uint8Array | null {
  if (!isCompressed) return isCompound(data) ? data : null;
  try {
    return inflateSync(data.subarray(4), { maxOutputLength: maximalObjectBytes, finishFlush: 2 });
  } catch {
    return null;
  }
}

export function powerPointObjects(stream: Uint8Array, tick: () => void): PowerPointObject[] {
  const objects: PowerPointObject[] = [];
  let steps = 0;
  for (let at = 0; at + 8 <= stream.length && objects.length < maximalObjects && steps < 500_000; steps += 1) {
    if (steps % 1024 === 0) tick();
    const version = u16(stream, at) & 0xf;
    const type = u16(stream, at + 2);
    const length = u32(stream, at + 4);
    if (type === objectStorage) {
      const content = contentOf(cut(stream, at + 8, length), u16(stream, at) >> 4 === 1);
      if (content !== null) objects.push({ at, content });
    }
    // A container is walked into; everything else is passed over whole.
    at += version === containerVersion ? 8 : 8 + length;
  }
  return objects;
}

export function isPowerPointEncrypted(currentUser: Uint8Array): boolean {
  return u32(currentUser, 12) === 0xf3d1c4df;
}
