import { inflateBounded } from './inflate.ts';

/** What a ZIP archive holds, read from its central directory, or from its local headers where that is gone. */

export interface ZipContent {
  readonly bytes: Uint8Array;
  /** Not empty when not all of it could be read. */
  readonly problem?: string;
}

export interface ZipEntry {
  /** As written: untrusted. */
  readonly name: string;
  readonly directory: boolean;
  readonly encrypted: boolean;
  /** 0 stored, 8 deflated; others cannot be read here. */
  readonly method: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly crc32: number;
  /** ISO without a zone, as DOS keeps it; absent when there is none. */
  readonly modified?: string;
  readonly comment: string;
  /** Where its local header stands. */
  readonly offset: number;
  read(maxBytes: number): ZipContent;
}

export interface ZipArchive {
  readonly entries: readonly ZipEntry[];
  readonly comment: string;
  /** Where the central directory begins, when there is one. */
  readonly directoryOffset?: number;
  /** Bytes before the first local header. */
  readonly leadingBytes: number;
  /** Bytes after the end of the archive. */
  readonly trailingBytes: number;
  readonly notes: readonly string[];
}

const mostEntries = 20_000;
const endSignature = 0x06054b50;
const centralSignature = 0x02014b50;
const localSignature = 0x04034b50;
const end64Signature = 0x06064b50;
const locator64Signature = 0x07064b50;

interface View {
  readonly bytes: Uint8Array;
  u16(at: number): number;
  u32(at: number): number;
  u64(at: number): number;
  text(at: number, length: number, utf8: boolean): string;
}

function makeView(bytes: Uint8Array): View {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fits = (at: number, length: number): boolean => at >= 0 && at + length <= bytes.length;
  const u32 = (at: number): number => (fits(at, 4) ? view.getUint32(at, true) : 0);
  return {
    bytes,
    u16: (at) => (fits(at, 2) ? view.getUint16(at, true) : 0),
    u32,
    u64: (at) => u32(at) + u32(at + 4) * 0x1_0000_0000,
    text: (at, length, utf8) => new TextDecoder(utf8 ? 'utf-8' : 'latin1').decode(bytes.subarray(at, at + length)),
  };
}

function dosTime(time: number, date: number): string | undefined {
  if (date === 0) return undefined;
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${1980 + (date >> 9)}-${two((date >> 5) & 15)}-${two(date & 31)}`;
  return `${day}T${two(time >> 11)}:${two((time >> 5) & 63)}:${two((time & 31) * 2)}`;
}

function findEnd(view: View): number | undefined {
  const lowest = Math.max(0, view.bytes.length - 22 - 65_535);
  for (let at = view.bytes.length - 22; at >= lowest; at -= 1) {
    if (view.bytes[at] === 0x50 && view.u32(at) === endSignature) return at;
  }
  return undefined;
}

function readData(view: View, entry: { offset: number; compressedSize: number; method: number }): Uint8Array | string {
  if (view.u32(entry.offset) !== localSignature) return 'its local header is missing';
  const start = entry.offset + 30 + view.u16(entry.offset + 26) + view.u16(entry.offset + 28);
  return view.bytes.subarray(start, start + entry.compressedSize);
}

function makeEntry(view: View, head: Omit<ZipEntry, 'read' | 'directory'>): ZipEntry {
  return {
    ...head,
    directory: head.name.endsWith('/'),
    read(maxBytes) {
      const nothing = new Uint8Array(0);
      if (head.encrypted) return { bytes: nothing, problem: 'encrypted' };
      const data = readData(view, head);
      if (typeof data === 'string') return { bytes: nothing, problem: data };
      const short = data.length < head.compressedSize ? { problem: 'cut short' } : {};
      if (head.method === 0) {
        return data.length > maxBytes
          ? { bytes: data.slice(0, maxBytes), problem: 'larger than the limit' }
          : { bytes: data.slice(), ...short };
      }
      if (head.method !== 8) return { bytes: nothing, problem: `compression method ${head.method} is not known here` };
      const { bytes, problem } = inflateBounded(data, 'raw', maxBytes);
      return problem === undefined ? { bytes, ...short } : { bytes, problem };
    },
  };
}

/** Sizes and offset of an entry whose 32-bit fields say `look into the ZIP64 field`. */
function widen(
  view: View,
  at: number,
  length: number,
  fields: { size: number; compressedSize: number; offset: number },
) {
  for (let here = at; here + 4 <= at + length; here += 4 + view.u16(here + 2)) {
    if (view.u16(here) !== 1) continue;
    let from = here + 4;
    for (const key of ['size', 'compressedSize', 'offset'] as const) {
      if (fields[key] !== 0xffff_ffff) continue;
      fields[key] = view.u64(from);
      from += 8;
    }
    return fields;
  }
  return fields;
}

function centralEntry(view: View, at: number, shift: number): { entry: ZipEntry; next: number } {
  const flags = view.u16(at + 8);
  const nameLength = view.u16(at + 28);
  const extraLength = view.u16(at + 30);
  const commentLength = view.u16(at + 32);
  const wide = widen(view, at + 46 + nameLength, extraLength, {
    compressedSize: view.u32(at + 20),
    size: view.u32(at + 24),
    offset: view.u32(at + 42),
  });
  const utf8 = (flags & 0x800) !== 0;
  const modified = dosTime(view.u16(at + 12), view.u16(at + 14));
  const entry = makeEntry(view, {
    name: view.text(at + 46, nameLength, utf8),
    encrypted: (flags & 1) !== 0,
    method: view.u16(at + 10),
    compressedSize: wide.compressedSize,
    size: wide.size,
    crc32: view.u32(at + 16),
    ...(modified === undefined ? {} : { modified }),
    comment: view.text(at + 46 + nameLength + extraLength, commentLength, utf8),
    offset: wide.offset + shift,
  });
  return { entry, next: at + 46 + nameLength + extraLength + commentLength };
}

/** Without a central directory: local headers one after the other. */
function localEntries(view: View, tick: () => void): ZipEntry[] {
  const entries: ZipEntry[] = [];
  const { bytes } = view;
  for (let at = bytes.indexOf(0x50); at >= 0 && entries.length < mostEntries; ) {
    tick();
    if (view.u32(at) !== localSignature) {
      at = bytes.indexOf(0x50, at + 1);
      continue;
    }
    const flags = view.u16(at + 6);
    const nameLength = view.u16(at + 26);
    const start = at + 30 + nameLength + view.u16(at + 28);
    const declared = view.u32(at + 18);
    // With a data descriptor the length is not known: what comes next ends it, and inflate stops by itself.
    const compressedSize = (flags & 8) !== 0 && declared === 0 ? Math.max(0, bytes.length - start) : declared;
    entries.push(
      makeEntry(view, {
        name: view.text(at + 30, nameLength, (flags & 0x800) !== 0),
        encrypted: (flags & 1) !== 0,
        method: view.u16(at + 8),
        compressedSize,
        size: view.u32(at + 22),
        crc32: view.u32(at + 14),
        comment: '',
        offset: at,
      }),
    );
    at = bytes.indexOf(0x50, Math.max(at + 4, (flags & 8) !== 0 ? start : Math.min(start + declared, bytes.length)));
  }
  return entries;
}

export function readZip(bytes: Uint8Array, tick: () => void): ZipArchive {
  const view = makeView(bytes);
  const notes: string[] = [];
  const end = findEnd(view);
  if (end === undefined) {
    const entries = localEntries(view, tick);
    notes.push('the ZIP has no central directory: its local headers were read');
    return { entries, comment: '', leadingBytes: entries[0]?.offset ?? 0, trailingBytes: 0, notes };
  }
  let count = view.u16(end + 10);
  let size = view.u32(end + 12);
  let offset = view.u32(end + 16);
  let ends = end;
  if (view.u32(end - 20) === locator64Signature) {
    const found = view.u64(end - 12);
    const at = view.u32(found) === end64Signature ? found : end - 20 - 56;
    if (view.u32(at) === end64Signature) {
      count = view.u64(at + 32);
      size = view.u64(at + 40);
      offset = view.u64(at + 48);
      ends = at;
    }
  }
  // Data in front of an archive moves everything; the directory ends where the end record begins.
  const start = view.u32(ends - size) === centralSignature ? ends - size : offset;
  const shift = start - offset;
  const entries: ZipEntry[] = [];
  for (let at = start; entries.length < mostEntries && view.u32(at) === centralSignature; ) {
    tick();
    const { entry, next } = centralEntry(view, at, shift);
    entries.push(entry);
    at = next;
  }
  if (entries.length !== count) notes.push(`the ZIP says ${count} entries, ${entries.length} were read`);
  const commentLength = view.u16(end + 20);
  return {
    entries,
    comment: view.text(end + 22, commentLength, false),
    directoryOffset: start,
    leadingBytes: entries.reduce((lowest, entry) => Math.min(lowest, entry.offset), start),
    trailingBytes: Math.max(0, bytes.length - end - 22 - commentLength),
    notes,
  };
}
