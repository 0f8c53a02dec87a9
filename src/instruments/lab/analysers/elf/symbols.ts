import { attempt, type Reader } from '../reader.ts';
import type { ElfDynamic } from './dynamic.ts';
import type { ElfImage } from './image.ts';

export interface ElfSymbol {
  readonly name: string;
  readonly kind: number;
  readonly binding: number;
  readonly defined: boolean;
}

interface Table {
  readonly offset: number;
  readonly count: number;
  readonly strings: number;
  readonly stringsSize: number;
}

const mostSymbols = 100_000;

/** The symbols of the dynamic linker: by its own table, so that removed or forged section headers change nothing. */
export function readDynamicSymbols(image: ElfImage, dynamic: ElfDynamic, tick: () => void): ElfSymbol[] {
  const table = attempt(() => byDynamic(image, dynamic)) ?? bySection(image, 11);
  return table === undefined ? [] : readTable(image, table, tick);
}

export function readStaticSymbols(image: ElfImage, tick: () => void): ElfSymbol[] {
  const table = bySection(image, 2);
  return table === undefined ? [] : readTable(image, table, tick);
}

function bySection(image: ElfImage, type: number): Table | undefined {
  const section = image.sections.find((one) => one.type === type);
  const strings = image.sections[section?.link ?? -1];
  if (section === undefined || strings === undefined) return undefined;
  const size = image.is64 ? 24 : 16;
  return {
    offset: section.offset,
    count: Math.floor(section.size / size),
    strings: strings.offset,
    stringsSize: strings.size,
  };
}

function byDynamic(image: ElfImage, { values }: ElfDynamic): Table | undefined {
  const [symbols, strings] = [values.get(6), values.get(5)];
  if (symbols === undefined || strings === undefined) return undefined;
  const offset = image.offsetOf(symbols);
  const count =
    countByHash(image, values) ?? Math.floor(Math.max(0, image.offsetOf(strings) - offset) / (image.is64 ? 24 : 16));
  return { offset, count, strings: image.offsetOf(strings), stringsSize: values.get(10) ?? image.reader.length };
}

/** How many symbols there are stands in neither table, but in what finds them. */
function countByHash(image: ElfImage, values: ReadonlyMap<number, number>): number | undefined {
  const { reader } = image;
  const plain = values.get(4);
  if (plain !== undefined) return attempt(() => reader.u32(image.offsetOf(plain) + 4));
  const gnu = values.get(0x6ffffef5);
  return gnu === undefined ? undefined : attempt(() => countByGnuHash(reader, image.offsetOf(gnu), image.is64 ? 8 : 4));
}

function countByGnuHash(reader: Reader, at: number, wordSize: number): number {
  const [buckets, first, bloom] = [reader.u32(at), reader.u32(at + 4), reader.u32(at + 8)];
  const table = at + 16 + bloom * wordSize;
  let last = 0;
  for (let index = 0; index < Math.min(buckets, mostSymbols); index += 1)
    last = Math.max(last, reader.u32(table + index * 4));
  if (last < first) return first;
  const chains = table + buckets * 4;
  while (last - first < mostSymbols && (reader.u32(chains + (last - first) * 4) & 1) === 0) last += 1;
  return last + 1;
}

function readTable({ reader, is64 }: ElfImage, table: Table, tick: () => void): ElfSymbol[] {
  const size = is64 ? 24 : 16;
  const list: ElfSymbol[] = [];
  for (let index = 1; index < Math.min(table.count, mostSymbols); index += 1) {
    if (index % 4096 === 1) tick();
    const at = table.offset + index * size;
    if (!(at + size <= reader.length)) break;
    const nameAt = reader.u32(at);
    const info = reader.u8(at + (is64 ? 4 : 12));
    const shown =
      nameAt === 0 || nameAt >= table.stringsSize
        ? ''
        : (attempt(() => reader.cString(table.strings + nameAt, 256)) ?? '');
    if (shown === '') continue;
    list.push({ name: shown, kind: info & 15, binding: info >>> 4, defined: reader.u16(at + (is64 ? 6 : 14)) !== 0 });
  }
  return list;
}
