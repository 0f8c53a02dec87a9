import { makeWriter, type Writer } from '../pe/writer.ts';

/** ELF files of every word size and byte order. The code is a few zero bytes that nothing runs. */
export interface ElfSample {
  readonly is64: boolean;
  readonly order: 'little' | 'big';
  readonly machine: number;
  readonly type?: number;
  readonly interpreter?: string;
  readonly needed?: readonly string[];
  readonly soname?: string;
  readonly runpath?: string;
  readonly imports?: readonly string[];
  readonly exports?: readonly string[];
  readonly buildId?: Uint8Array;
  /** Further content of the notes. */
  readonly notes?: readonly { readonly owner: string; readonly type: number; readonly content: Uint8Array }[];
  readonly comment?: string;
  readonly code?: Uint8Array;
  readonly executableStack?: boolean;
  readonly writableCode?: boolean;
  readonly bindNow?: boolean;
  readonly relro?: boolean;
  readonly pie?: boolean;
  /** Leaves the section headers out, as tampered files do. */
  readonly noSections?: boolean;
  readonly overlay?: Uint8Array;
}

interface Part {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly bytes: Uint8Array;
  readonly link?: string;
  readonly entrySize?: number;
}

const loadAddress = 0x400000;

/** One segment maps the whole file, so an address is the load address plus the offset. */
export function makeElf(sample: ElfSample): Buffer {
  const { is64, order } = sample;
  const strings = makeWriter().u8(0);
  const string = (text: string): number => {
    const at = strings.length;
    strings.cString(text);
    return at;
  };
  const symbols = makeSymbols(sample, string);
  const needed = (sample.needed ?? []).map(string);
  const soname = sample.soname === undefined ? undefined : string(sample.soname);
  const runpath = sample.runpath === undefined ? undefined : string(sample.runpath);
  const count = 1 + (sample.imports?.length ?? 0) + (sample.exports?.length ?? 0);
  const hash = makeWriter(order)
    .u32(1, count, 0)
    .bytes(Buffer.alloc(count * 4))
    .done();
  const isDynamic = sample.needed !== undefined || sample.soname !== undefined || sample.pie === true;
  const parts: Part[] = [
    ...(sample.interpreter === undefined
      ? []
      : [{ name: '.interp', type: 1, flags: 2, bytes: Buffer.from(`${sample.interpreter}\0`) }]),
    ...(sample.buildId === undefined
      ? []
      : [
          {
            name: '.note.gnu.build-id',
            type: 7,
            flags: 2,
            bytes: Buffer.concat([
              note(order, 'GNU', 3, sample.buildId),
              ...(sample.notes ?? []).map((one) => note(order, one.owner, one.type, one.content)),
            ]),
          },
        ]),
    { name: '.text', type: 1, flags: 6, bytes: sample.code ?? Buffer.alloc(64) },
    ...(isDynamic
      ? [
          { name: '.hash', type: 5, flags: 2, bytes: hash, link: '.dynsym' },
          { name: '.dynsym', type: 11, flags: 2, bytes: symbols, link: '.dynstr', entrySize: is64 ? 24 : 16 },
          { name: '.dynstr', type: 3, flags: 2, bytes: strings.done() },
          {
            name: '.dynamic',
            type: 6,
            flags: 3,
            bytes: Buffer.alloc((needed.length + 11) * (is64 ? 16 : 8)),
            link: '.dynstr',
          },
        ]
      : []),
    ...(sample.comment === undefined
      ? []
      : [{ name: '.comment', type: 1, flags: 0, bytes: Buffer.from(`${sample.comment}\0`) }]),
  ];
  const kinds = [
    1,
    ...(sample.interpreter === undefined ? [] : [3]),
    ...(isDynamic ? [2] : []),
    ...(sample.buildId === undefined ? [] : [4]),
    0x6474e551,
    ...(sample.relro === true ? [0x6474e552] : []),
  ];
  const headerSize = is64 ? 64 : 52;
  const segmentSize = is64 ? 56 : 32;
  let at = Math.ceil((headerSize + kinds.length * segmentSize) / 16) * 16;
  const offsets = parts.map(({ bytes }) => {
    const here = at;
    at = Math.ceil((at + bytes.length) / 16) * 16;
    return here;
  });
  const place = (name: string): { offset: number; size: number } => {
    const index = parts.findIndex((part) => part.name === name);
    return { offset: offsets[index] ?? 0, size: parts[index]?.bytes.length ?? 0 };
  };
  const values: [number, number][] = [
    ...needed.map((value): [number, number] => [1, value]),
    ...(soname === undefined ? [] : ([[14, soname]] as [number, number][])),
    ...(runpath === undefined ? [] : ([[29, runpath]] as [number, number][])),
    [4, loadAddress + place('.hash').offset],
    [5, loadAddress + place('.dynstr').offset],
    [6, loadAddress + place('.dynsym').offset],
    [10, place('.dynstr').size],
    ...(sample.bindNow === true ? ([[30, 8]] as [number, number][]) : []),
    ...(sample.pie === true ? ([[0x6ffffffb, 0x08000000]] as [number, number][]) : []),
    [0, 0],
  ];
  const dynamic = makeWriter(order);
  for (const pair of values) word(dynamic, is64, ...pair);
  const end = at;
  const names = makeWriter().u8(0);
  const nameAt = [...parts.map(({ name }) => name), '.shstrtab'].map((name) => {
    const here = names.length;
    names.cString(name);
    return here;
  });
  const nameBytes = names.done();
  const sectionsAt = sample.noSections === true ? 0 : Math.ceil((end + nameBytes.length) / 8) * 8;
  const file = makeWriter(order);
  file
    .u8(0x7f)
    .text('ELF')
    .u8(is64 ? 2 : 1, order === 'little' ? 1 : 2, 1, 0, 0)
    .bytes(Buffer.alloc(7));
  file.u16(sample.type ?? 2, sample.machine).u32(1);
  word(file, is64, loadAddress + place('.text').offset, headerSize, sectionsAt);
  const sectionCount = sample.noSections === true ? 0 : parts.length + 2;
  file
    .u32(0)
    .u16(
      headerSize,
      segmentSize,
      kinds.length,
      is64 ? 64 : 40,
      sectionCount,
      sectionCount === 0 ? 0 : parts.length + 1,
    );
  const segmentOf: Readonly<Record<number, string>> = {
    3: '.interp',
    2: '.dynamic',
    4: '.note.gnu.build-id',
    1685382482: '.dynamic',
  };
  for (const kind of kinds) {
    const { offset, size } = kind === 1 ? { offset: 0, size: end } : place(segmentOf[kind] ?? '');
    const flags =
      kind === 1
        ? sample.writableCode === true
          ? 7
          : 5
        : kind === 0x6474e551
          ? sample.executableStack === true
            ? 7
            : 6
          : 4;
    segment(file, is64, kind, flags, kind === 0x6474e551 ? 0 : offset, kind === 0x6474e551 ? 0 : size);
  }
  parts.forEach((part, index) => {
    file
      .align(16)
      .bytes(
        part.name === '.dynamic'
          ? Buffer.concat([dynamic.done(), Buffer.alloc(part.bytes.length)]).subarray(0, part.bytes.length)
          : part.bytes,
      );
    if (file.length - part.bytes.length !== offsets[index]) throw new Error('a part is not where it was to be');
  });
  file.align(16);
  if (sample.noSections !== true) {
    file.bytes(nameBytes).align(8);
    section(file, is64, 0, 0, 0, 0, 0, 0, 0, 0);
    parts.forEach((part, index) => {
      const link = part.link === undefined ? 0 : parts.findIndex(({ name }) => name === part.link) + 1;
      const address = (part.flags & 2) === 0 ? 0 : loadAddress + (offsets[index] ?? 0);
      section(
        file,
        is64,
        nameAt[index] ?? 0,
        part.type,
        part.flags,
        address,
        offsets[index] ?? 0,
        part.bytes.length,
        link,
        part.entrySize ?? 0,
      );
    });
    section(file, is64, nameAt.at(-1) ?? 0, 3, 0, 0, end, nameBytes.length, 0, 0);
  }
  if (sample.overlay !== undefined) file.bytes(sample.overlay);
  return file.done();
}

function word(writer: Writer, is64: boolean, ...values: readonly number[]): void {
  if (is64) writer.u64(...values);
  else writer.u32(...values);
}

function segment(writer: Writer, is64: boolean, type: number, flags: number, offset: number, size: number): void {
  const address = offset === 0 && size === 0 ? 0 : loadAddress + offset;
  writer.u32(type);
  if (is64) writer.u32(flags).u64(offset, address, address, size, size, type === 4 ? 4 : 16);
  else writer.u32(offset, address, address, size, size, flags, type === 4 ? 4 : 16);
}

function section(writer: Writer, is64: boolean, ...fields: readonly number[]): void {
  const [name = 0, type = 0, flags = 0, address = 0, offset = 0, size = 0, link = 0, entrySize = 0] = fields;
  writer.u32(name, type);
  word(writer, is64, flags, address, offset, size);
  writer.u32(link, type === 11 ? 1 : 0);
  word(writer, is64, 1, entrySize);
}

const note = (order: 'little' | 'big', owner: string, type: number, content: Uint8Array): Buffer =>
  makeWriter(order)
    .u32(owner.length + 1, content.length, type)
    .cString(owner)
    .align(4)
    .bytes(content)
    .align(4)
    .done();

function makeSymbols({ is64, order, imports = [], exports = [] }: ElfSample, string: (text: string) => number): Buffer {
  const writer = makeWriter(order);
  const symbol = (name: number, info: number, index: number): void => {
    if (is64)
      writer
        .u32(name)
        .u8(info, 0)
        .u16(index)
        .u64(index === 0 ? 0 : loadAddress, 0);
    else
      writer
        .u32(name, index === 0 ? 0 : loadAddress, 0)
        .u8(info, 0)
        .u16(index);
  };
  symbol(0, 0, 0);
  for (const name of imports) symbol(string(name), 0x12, 0);
  for (const name of exports) symbol(string(name), 0x12, 3);
  return writer.done();
}
