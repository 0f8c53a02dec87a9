import { inflateRawSync } from 'node:zlib';
import { cut, startsWith, u16, u32, utf16 } from '../bytes.ts';

/** Parts of a zip container, from its central directory or, where that is broken, from the local headers. */

export interface ZipPart {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** As the directory says. */
  readonly size: number;
  readonly packedSize: number;
  readonly localAt: number;
}

export interface ZipFile {
  readonly parts: readonly ZipPart[];
  readonly notes: readonly string[];
  find(name: string): ZipPart | undefined;
  /** Null when it cannot be unpacked, or would be larger than what is unpacked of one file. */
  read(part: ZipPart): Uint8Array | null;
}

const maximalParts = 5000;
const maximalPartBytes = 32 * 1024 * 1024;
const maximalTotalBytes = 96 * 1024 * 1024;
const endSignature = [0x50, 0x4b, 0x05, 0x06] as const;
const centralSignature = [0x50, 0x4b, 0x01, 0x02] as const;
const localSignature = [0x50, 0x4b, 0x03, 0x04] as const;

function nameOf(raw: Uint8Array, flags: number): string {
  return new TextDecoder(flags & 0x800 ? 'utf-8' : 'windows-1252').decode(raw).replaceAll('\\', '/');
}

function fromDirectory(bytes: Uint8Array, tick: () => void): ZipPart[] {
  const parts: ZipPart[] = [];
  const lowest = Math.max(0, bytes.length - 65_557);
  for (let at = bytes.length - 22; at >= lowest; at -= 1) {
    if (!startsWith(bytes, endSignature, at)) continue;
    // What stands before the archive shifts it: the directory ends where this record begins.
    const size = u32(bytes, at + 12);
    const shift = Math.max(0, at - size - u32(bytes, at + 16));
    let next = at - size;
    while (next >= 0 && next < at && parts.length < maximalParts && startsWith(bytes, centralSignature, next)) {
      tick();
      const nameLength = u16(bytes, next + 28);
      const flags = u16(bytes, next + 8);
      parts.push({
        name: nameOf(cut(bytes, next + 46, nameLength), flags),
        method: u16(bytes, next + 10),
        isEncrypted: (flags & 1) === 1,
        packedSize: u32(bytes, next + 20),
        size: u32(bytes, next + 24),
        localAt: u32(bytes, next + 42) + shift,
      });
      next += 46 + nameLength + u16(bytes, next + 30) + u16(bytes, next + 32);
    }
    if (parts.length > 0) break;
  }
  return parts;
}

function fromLocalHeaders(bytes: Uint8Array, tick: () => void): ZipPart[] {
  const parts: ZipPart[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const signature = Buffer.from(localSignature);
  for (let at = buffer.indexOf(signature); at !== -1 && parts.length < maximalParts; ) {
    tick();
    const flags = u16(bytes, at + 6);
    const nameLength = u16(bytes, at + 26);
    parts.push({
      name: nameOf(cut(bytes, at + 30, nameLength), flags),
      method: u16(bytes, at + 8),
      isEncrypted: (flags & 1) === 1,
      packedSize: u32(bytes, at + 18),
      size: u32(bytes, at + 22),
      localAt: at,
    });
    at = buffer.indexOf(signature, at + 30 + nameLength);
  }
  return parts;
}

function unpack(bytes: Uint8Array, part: ZipPart, limit: number): Uint8Array | null {
  if (part.isEncrypted || !startsWith(bytes, localSignature, part.localAt)) return null;
  const at = part.localAt + 30 + u16(bytes, part.localAt + 26) + u16(bytes, part.localAt + 28);
  // Without a size in the header the stream knows its own end.
  const packed = cut(bytes, at, part.packedSize === 0 ? bytes.length : part.packedSize);
  if (part.method === 0) return packed.length <= limit ? packed : null;
  if (part.method !== 8) return null;
  try {
    return inflateRawSync(packed, { maxOutputLength: limit, finishFlush: 2 });
  } catch {
    return null;
  }
}

export function readZip(bytes: Uint8Array, tick: () => void): ZipFile {
  const notes: string[] = [];
  let parts = fromDirectory(bytes, tick);
  if (parts.length === 0) {
    parts = fromLocalHeaders(bytes, tick);
    notes.push('the zip directory is missing or broken: parts were looked for');
  }
  if (parts.length >= maximalParts) notes.push('the container has more parts than are read');
  const byName = new Map<string, ZipPart>();
  for (const part of parts) if (!byName.has(part.name.toLowerCase())) byName.set(part.name.toLowerCase(), part);
  const cache = new Map<ZipPart, Uint8Array | null>();
  let left = maximalTotalBytes;
  return {
    parts,
    notes,
    find: (name) => byName.get(name.toLowerCase()),
    read(part) {
      tick();
      const known = cache.get(part);
      if (known !== undefined) return known;
      const content = left <= 0 ? null : unpack(bytes, part, Math.min(left, maximalPartBytes));
      // A part that fails late has cost as much as one that is whole.
      left -= content?.length ?? Math.min(part.packedSize * 16, maximalPartBytes);
      cache.set(part, content);
      return content;
    },
  };
}

/** The text of an XML part, whatever its byte order mark says. */
export function xmlText(bytes: Uint8Array): string {
  const limited = bytes.subarray(0, 16 * 1024 * 1024);
  if (startsWith(limited, [0xff, 0xfe])) return utf16(limited.subarray(2));
  return new TextDecoder('utf-8').decode(limited);
}
