import { type ByteOrder, makeReader, OutOfBounds, type Reader } from '../reader.ts';

export interface ElfSegment {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
}

export interface ElfSection {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
  readonly entrySize: number;
}

export interface ElfImage {
  readonly reader: Reader;
  readonly is64: boolean;
  readonly order: ByteOrder;
  readonly abi: number;
  readonly abiVersion: number;
  readonly type: number;
  readonly machine: number;
  readonly entry: bigint;
  readonly flags: number;
  readonly segmentsOffset: number;
  readonly sectionsOffset: number;
  readonly sectionEntrySize: number;
  readonly declaredSegments: number;
  readonly declaredSections: number;
  readonly nameIndex: number;
  readonly segments: readonly ElfSegment[];
  readonly sections: readonly ElfSection[];
  /** A number of the word size of the file. */
  word(at: number): number;
  /** Throws `OutOfBounds` where no segment maps that address. */
  offsetOf(address: number): number;
  section(name: string): ElfSection | undefined;
}

const mostSegments = 512;
const mostSections = 4096;

export function readElf(bytes: Uint8Array): ElfImage {
  const probe = makeReader(bytes);
  if (probe.u32(0) !== 0x464c457f) throw new OutOfBounds(0, 4, bytes.length);
  const is64 = probe.u8(4) === 2;
  const order: ByteOrder = probe.u8(5) === 2 ? 'big' : 'little';
  const reader = makeReader(bytes, order);
  const word = (at: number): number => (is64 ? reader.size64(at) : reader.u32(at));
  const [segmentsOffset, sectionsOffset] = is64 ? [word(32), word(40)] : [word(28), word(32)];
  const tail = is64 ? 48 : 36;
  const segmentEntrySize = reader.u16(tail + 6);
  const declaredSegments = reader.u16(tail + 8);
  const sectionEntrySize = reader.u16(tail + 10);
  const plainSections = reader.u16(tail + 12);
  const nameIndex = reader.u16(tail + 14);
  const segments = readSegments(reader, is64, word, segmentsOffset, segmentEntrySize, declaredSegments);
  const [declaredSections, sections] = readSections(
    reader,
    is64,
    word,
    sectionsOffset,
    sectionEntrySize,
    plainSections,
    nameIndex,
  );
  return {
    reader,
    is64,
    order,
    abi: reader.u8(7),
    abiVersion: reader.u8(8),
    type: reader.u16(16),
    machine: reader.u16(18),
    entry: is64 ? reader.u64(24) : BigInt(reader.u32(24)),
    flags: reader.u32(tail),
    segmentsOffset,
    sectionsOffset,
    sectionEntrySize,
    declaredSegments,
    declaredSections,
    nameIndex,
    segments,
    sections,
    word,
    offsetOf(address) {
      const hit = segments.find(
        (one) => one.type === 1 && address >= one.address && address < one.address + one.fileSize,
      );
      if (hit === undefined) throw new OutOfBounds(address, 1, bytes.length);
      return hit.offset + (address - hit.address);
    },
    section: (name) => sections.find((one) => one.name === name),
  };
}

function readSegments(
  reader: Reader,
  is64: boolean,
  word: (at: number) => number,
  table: number,
  entrySize: number,
  count: number,
): ElfSegment[] {
  const list: ElfSegment[] = [];
  const least = is64 ? 56 : 32;
  if (entrySize < least) return list;
  for (let index = 0; index < Math.min(count, mostSegments); index += 1) {
    const at = table + index * entrySize;
    if (!(at + least <= reader.length)) break;
    list.push({
      type: reader.u32(at),
      flags: reader.u32(at + (is64 ? 4 : 24)),
      offset: word(at + (is64 ? 8 : 4)),
      address: word(at + (is64 ? 16 : 8)),
      fileSize: word(at + (is64 ? 32 : 16)),
      memorySize: word(at + (is64 ? 40 : 20)),
    });
  }
  return list;
}

function readSections(
  reader: Reader,
  is64: boolean,
  word: (at: number) => number,
  table: number,
  entrySize: number,
  plainCount: number,
  nameIndex: number,
): readonly [number, ElfSection[]] {
  const least = is64 ? 64 : 40;
  if (table === 0 || entrySize < least || !(table + least <= reader.length)) return [plainCount, []];
  const field = (at: number, wide: number, narrow: number): number => word(at + (is64 ? wide : narrow));
  // With more than 65279 sections the count stands in the first one.
  const count = plainCount === 0 ? field(table, 32, 20) : plainCount;
  const raw: (ElfSection & { readonly nameAt: number })[] = [];
  for (let index = 0; index < Math.min(count, mostSections); index += 1) {
    const at = table + index * entrySize;
    if (!(at + least <= reader.length)) break;
    raw.push({
      nameAt: reader.u32(at),
      name: '',
      type: reader.u32(at + 4),
      flags: field(at, 8, 8),
      address: field(at, 16, 12),
      offset: field(at, 24, 16),
      size: field(at, 32, 20),
      link: reader.u32(at + (is64 ? 40 : 24)),
      entrySize: field(at, 56, 36),
    });
  }
  const strings = raw[nameIndex];
  const names = makeReader(strings === undefined ? new Uint8Array() : reader.cut(strings.offset, strings.size));
  const named = raw.map(({ nameAt, ...section }) => ({
    ...section,
    name: nameAt < names.length ? names.cString(nameAt, 128) : '',
  }));
  return [count, named];
}
