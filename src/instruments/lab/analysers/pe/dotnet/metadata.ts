import { makeReader, OutOfBounds, type Reader } from '../../reader.ts';
import type { PeImage } from '../image.ts';
import { codedIndexes, tableSchema } from './schema.ts';

/** The heaps and tables of .NET metadata, read on demand. */
export interface Metadata {
  readonly runtimeVersion: string;
  readonly clrVersion: string;
  readonly flags: number;
  readonly entryPointToken: number;
  readonly streams: readonly { readonly name: string; readonly size: number }[];
  readonly userStrings: Uint8Array;
  rows(table: string): number;
  /** The columns of a row, counted from 1 as the format does. */
  row(table: string, index: number): readonly number[];
  text(index: number): string;
  guid(index: number): Uint8Array | undefined;
  blob(index: number): Uint8Array;
  /** The bytes of the region of managed resources. */
  readonly resources: Uint8Array;
}

const mostStreams = 32;
const mostRows = 2 ** 24;

export function readMetadata(image: PeImage): Metadata {
  const { reader } = image;
  const clr = image.directory('clr_header');
  if (clr === undefined) throw new OutOfBounds(0, 72, 0);
  const header = image.offsetOf(clr.rva);
  const rootAt = image.offsetOf(reader.u32(header + 8));
  const root = makeReader(reader.cut(rootAt, reader.u32(header + 12)));
  if (root.u32(0) !== 0x424a5342) throw new OutOfBounds(rootAt, 4, reader.length);
  const versionLength = Math.min(root.u32(12), 256);
  const streams = readStreams(root, 16 + versionLength);
  const stream = (name: string): Uint8Array => streams.find((one) => one.name === name)?.bytes ?? new Uint8Array();
  const compressed = stream('#~');
  const tables = readTables(makeReader(compressed.length > 0 ? compressed : stream('#-')));
  const strings = makeReader(stream('#Strings'));
  const guids = stream('#GUID');
  const blobs = makeReader(stream('#Blob'));
  const resourceRva = reader.u32(header + 24);
  return {
    runtimeVersion: root.cString(16, versionLength),
    clrVersion: `${reader.u16(header + 4)}.${reader.u16(header + 6)}`,
    flags: reader.u32(header + 16),
    entryPointToken: reader.u32(header + 20),
    streams: streams.map(({ name, bytes }) => ({ name, size: bytes.length })),
    userStrings: stream('#US'),
    ...tables,
    text: (index) => (index === 0 || index >= strings.length ? '' : utf8At(strings, index)),
    guid: (index) =>
      index === 0 || index * 16 > guids.length ? undefined : guids.subarray(index * 16 - 16, index * 16),
    blob: (index) => {
      if (index === 0) return new Uint8Array();
      const [length, from] = compressedLength(blobs, index);
      return blobs.slice(from, length);
    },
    resources: resourceRva === 0 ? new Uint8Array() : reader.cut(image.offsetOf(resourceRva), reader.u32(header + 28)),
  };
}

const utf8At = (strings: Reader, at: number): string =>
  Buffer.from(strings.cString(at, 512), 'latin1').toString('utf8');

/** One, two or four bytes, told apart by the first bits. */
export function compressedLength(reader: Reader, at: number): readonly [length: number, next: number] {
  const first = reader.u8(at);
  if (first < 0x80) return [first, at + 1];
  if (first < 0xc0) return [((first & 0x3f) << 8) | reader.u8(at + 1), at + 2];
  const rest = (reader.u8(at + 1) << 16) | (reader.u8(at + 2) << 8) | reader.u8(at + 3);
  return [(first & 0x1f) * 2 ** 24 + rest, at + 4];
}

function readStreams(root: Reader, from: number): { name: string; bytes: Uint8Array }[] {
  const count = Math.min(root.u16(from + 2), mostStreams);
  const streams: { name: string; bytes: Uint8Array }[] = [];
  let at = from + 4;
  for (let index = 0; index < count && at + 9 <= root.length; index += 1) {
    const name = root.cString(at + 8, 32);
    streams.push({ name, bytes: root.cut(root.u32(at), root.u32(at + 4)) });
    at += 8 + ((name.length + 4) & ~3);
  }
  return streams;
}

function readTables(reader: Reader): Pick<Metadata, 'rows' | 'row'> {
  if (reader.length < 24) return { rows: () => 0, row: () => [] };
  const heaps = reader.u8(6);
  const present = reader.u64(8);
  const counts = new Map<string, number>();
  let at = 24;
  for (let index = 0; index < 64; index += 1) {
    if (((present >> BigInt(index)) & 1n) === 0n) continue;
    const name = tableSchema[index]?.[0];
    const rows = reader.u32(at);
    at += 4;
    // Of a table that nobody knows the width is unknown too, and then nothing behind it can be found.
    if (name === undefined || rows > mostRows) throw new OutOfBounds(at, rows, reader.length);
    counts.set(name, rows);
  }
  if ((heaps & 0x40) !== 0) at += 4;
  const rows = (table: string): number => counts.get(table) ?? 0;
  const widthOf = (column: string): number => columnWidth(column, heaps, rows);
  const places = new Map<string, { start: number; widths: readonly number[]; size: number }>();
  for (const [name, columns] of tableSchema) {
    const widths = columns.split(' ').map(widthOf);
    const size = widths.reduce((sum, width) => sum + width, 0);
    places.set(name, { start: at, widths, size });
    at += size * rows(name);
  }
  return {
    rows,
    row: (table, index) => {
      const place = places.get(table);
      if (place === undefined || index < 1 || index > rows(table)) throw new OutOfBounds(index, 1, rows(table));
      let here = place.start + (index - 1) * place.size;
      return place.widths.map((width) => {
        const value = width === 2 ? reader.u16(here) : reader.u32(here);
        here += width;
        return value;
      });
    },
  };
}

function columnWidth(column: string, heaps: number, rows: (table: string) => number): number {
  const heapBits: Readonly<Record<string, number>> = { S: 1, G: 2, B: 4 };
  if (column === '2' || column === '4') return Number(column);
  const bit = heapBits[column];
  if (bit !== undefined) return (heaps & bit) !== 0 ? 4 : 2;
  const name = column.slice(1);
  if (column.startsWith('>')) return rows(name) > 0xffff ? 4 : 2;
  const [bits, tables] = codedIndexes[name] ?? [0, []];
  return Math.max(...tables.map(rows)) >= 2 ** (16 - bits) ? 4 : 2;
}
