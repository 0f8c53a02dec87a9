import { makeResources, type SampleResource } from './make-resources.ts';
import { makeRich } from './make-rich.ts';
import { makeExports, makeImports, makeLoaderTables } from './make-tables.ts';
import { makeWriter } from './writer.ts';

/** Windows executables that do nothing: the code is one `ret`. */
export interface PeSample {
  readonly is64: boolean;
  readonly dll?: boolean;
  readonly imports?: readonly SampleImport[];
  readonly delayImports?: readonly SampleImport[];
  readonly exports?: { readonly name: string; readonly functions: readonly SampleExport[] };
  readonly resources?: readonly SampleResource[];
  readonly tls?: boolean;
  readonly pdb?: string;
  readonly reproducible?: boolean;
  readonly rich?: boolean;
  readonly overlay?: Uint8Array;
  /** Further sections behind the usual ones. */
  readonly sections?: readonly SampleSection[];
  /** Leaves out `.text`: the sections above come first, and the entry point lies in the last of them. */
  readonly noText?: boolean;
  /** Bytes for a .NET header, made when the address is known. */
  readonly clr?: (rva: number) => Uint8Array;
  readonly timestamp?: number;
  readonly checksum?: boolean;
}

export interface SampleImport {
  readonly dll: string;
  readonly functions: readonly (string | number)[];
}
export interface SampleExport {
  readonly name: string;
  readonly forwarder?: string;
}
export interface SampleSection {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly flags: number;
  readonly virtualSize?: number;
}

interface Placed extends SampleSection {
  readonly rva: number;
}

export interface DirectoryEntry {
  readonly index: number;
  readonly rva: number;
  readonly size: number;
}

export const imageBases = { wide: 0x140000000n, narrow: 0x400000n } as const;
const up = (value: number, to: number): number => Math.ceil(value / to) * to;

export function makePe(sample: PeSample): Buffer {
  const { is64 } = sample;
  const directories: DirectoryEntry[] = [];
  const placed: Placed[] = [];
  let next = 0x1000;
  const place = (name: string, flags: number, build: (rva: number) => Uint8Array, virtualSize?: number): void => {
    const bytes = build(next);
    if (bytes.length === 0 && virtualSize === undefined) return;
    placed.push({ name, flags, bytes, rva: next, ...(virtualSize === undefined ? {} : { virtualSize }) });
    next += up(Math.max(bytes.length, virtualSize ?? 0, 1), 0x1000);
  };
  const placeSections = (): void => {
    for (const { name, flags, bytes, virtualSize } of sample.sections ?? [])
      place(name, flags, () => bytes, virtualSize);
  };
  if (sample.noText === true) placeSections();
  else place('.text', 0x60000020, () => Buffer.from([0xc3, 0x90, 0x90, 0x90]));
  place('.rdata', 0x40000040, (rva) => {
    const writer = makeWriter();
    makeImports(sample, rva, writer, directories);
    makeExports(sample, rva, writer, directories);
    makeLoaderTables(sample, rva, writer, directories);
    return writer.done();
  });
  if (sample.clr !== undefined) {
    const { clr } = sample;
    place('.clr', 0x40000040, (rva) => {
      directories.push({ index: 14, rva, size: 72 });
      return clr(rva);
    });
  }
  if (sample.noText !== true) placeSections();
  if (sample.resources !== undefined) {
    const { resources } = sample;
    place('.rsrc', 0x40000040, (rva) => {
      const bytes = makeResources(resources, rva);
      directories.push({ index: 2, rva, size: bytes.length });
      return bytes;
    });
  }
  return assemble(sample, placed, directories, next, is64);
}

function assemble(
  sample: PeSample,
  placed: readonly Placed[],
  directories: readonly DirectoryEntry[],
  imageSize: number,
  is64: boolean,
): Buffer {
  const stub = Buffer.concat([dosStub(), sample.rich === true ? makeRich(dosStub()) : Buffer.alloc(0)]);
  const peAt = up(stub.length, 8);
  const headersSize = up(peAt + 24 + (is64 ? 240 : 224) + placed.length * 40, 0x200);
  const writer = makeWriter().bytes(stub).align(8);
  const characteristics = 0x2 | (is64 ? 0x20 : 0x100) | (sample.dll === true ? 0x2000 : 0);
  writer.text('PE\0\0').u16(is64 ? 0x8664 : 0x14c, placed.length);
  writer.u32(sample.timestamp ?? 1_600_000_000, 0, 0).u16(is64 ? 240 : 224, characteristics);
  const optionalAt = writer.length;
  const entry = (sample.noText === true ? placed[(sample.sections?.length ?? 1) - 1]?.rva : undefined) ?? 0x1000;
  writer
    .u16(is64 ? 0x20b : 0x10b)
    .u8(14, 29)
    .u32(0x200, 0x400, 0, entry, 0x1000);
  if (is64) writer.u64(imageBases.wide);
  else writer.u32(0x2000, Number(imageBases.narrow));
  writer.u32(0x1000, 0x200).u16(6, 0, 0, 0, 6, 0).u32(0, imageSize, headersSize, 0).u16(3, 0x8160);
  for (let index = 0; index < 4; index += 1) {
    if (is64) writer.u64(0x100000);
    else writer.u32(0x100000);
  }
  writer.u32(0, 16);
  for (let index = 0; index < 16; index += 1) {
    const entry = directories.find((one) => one.index === index);
    writer.u32(entry?.rva ?? 0, entry?.size ?? 0);
  }
  let offset = headersSize;
  for (const { name, bytes, flags, rva, virtualSize } of placed) {
    const rawSize = up(bytes.length, 0x200);
    writer
      .text(name, 8)
      .u32(virtualSize ?? bytes.length, rva, rawSize, rawSize === 0 ? 0 : offset, 0, 0)
      .u16(0, 0)
      .u32(flags);
    offset += rawSize;
  }
  writer.align(0x200);
  for (const { bytes } of placed) writer.bytes(bytes).align(0x200);
  if (sample.overlay !== undefined) writer.bytes(sample.overlay);
  const file = writer.done();
  file.writeUInt32LE(peAt, 0x3c);
  if (sample.checksum === true) writeChecksum(file, optionalAt + 64);
  return file;
}

const dosStub = (): Buffer => {
  const stub = Buffer.alloc(0x80);
  stub.write('MZ', 'latin1');
  stub.write('This program cannot be run in DOS mode.\r\r\n$', 0x4e, 'latin1');
  return stub;
};

/** The other way of computing it: 32-bit words in one big number, folded at the end. */
export function writeChecksum(file: Buffer, at: number): void {
  file.writeUInt32LE(0, at);
  const padded = Buffer.concat([file, Buffer.alloc((4 - (file.length % 4)) % 4)]);
  let sum = 0n;
  for (let index = 0; index < padded.length; index += 4) sum += BigInt(padded.readUInt32LE(index));
  while (sum >> 16n !== 0n) sum = (sum & 0xffffn) + (sum >> 16n);
  file.writeUInt32LE(Number(sum) + file.length, at);
}
