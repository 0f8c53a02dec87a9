import { type DirectoryEntry, imageBases, type PeSample, type SampleImport } from './make-pe.ts';
import { makeWriter, type Writer } from './writer.ts';

const thunk = (writer: Writer, is64: boolean, value: number | string, addresses: ReadonlyMap<string, number>): void => {
  if (typeof value === 'number') is64 ? writer.u64((1n << 63n) | BigInt(value)) : writer.u32(0x80000000 + value);
  else is64 ? writer.u64(addresses.get(value) ?? 0) : writer.u32(addresses.get(value) ?? 0);
};

/** Names first, then lists, then descriptors: each part knows where the earlier ones are. */
function writeLists(
  list: readonly SampleImport[],
  is64: boolean,
  rva: number,
  writer: Writer,
): { name: number; lookup: number }[] {
  const names = new Map<string, number>();
  const libraries = list.map(({ dll, functions }) => {
    for (const one of functions) {
      if (typeof one === 'number' || names.has(one)) continue;
      writer.align(2);
      names.set(one, rva + writer.length);
      writer.u16(0).cString(one);
    }
    const at = rva + writer.length;
    writer.cString(dll);
    return at;
  });
  return list.map(({ functions }, index) => {
    writer.align(8);
    const lookup = rva + writer.length;
    for (const one of functions) thunk(writer, is64, one, names);
    thunk(writer, is64, '', names);
    return { name: libraries[index] ?? 0, lookup };
  });
}

export function makeImports(sample: PeSample, rva: number, writer: Writer, directories: DirectoryEntry[]): void {
  if (sample.imports !== undefined) {
    const lists = writeLists(sample.imports, sample.is64, rva, writer);
    const addresses = writeLists(sample.imports, sample.is64, rva, writer);
    writer.align(4);
    directories.push({ index: 1, rva: rva + writer.length, size: (lists.length + 1) * 20 });
    lists.forEach(({ name, lookup }, index) => {
      writer.u32(lookup, 0, 0, name, addresses[index]?.lookup ?? 0);
    });
    writer.u32(0, 0, 0, 0, 0);
  }
  if (sample.delayImports !== undefined) {
    const lists = writeLists(sample.delayImports, sample.is64, rva, writer);
    writer.align(4);
    directories.push({ index: 13, rva: rva + writer.length, size: (lists.length + 1) * 32 });
    for (const { name, lookup } of lists) writer.u32(1, name, 0, lookup, lookup, 0, 0, 0);
    writer.u32(0, 0, 0, 0, 0, 0, 0, 0);
  }
}

export function makeExports(sample: PeSample, rva: number, writer: Writer, directories: DirectoryEntry[]): void {
  if (sample.exports === undefined) return;
  const { name, functions } = sample.exports;
  writer.align(4);
  const start = rva + writer.length;
  const table = makeWriter();
  const count = functions.length;
  const [addressesAt, namesAt, ordinalsAt] = [start + 40, start + 40 + 4 * count, start + 40 + 8 * count];
  const textAt = start + 40 + 10 * count;
  const texts = makeWriter();
  const put = (text: string): number => {
    const at = textAt + texts.length;
    texts.cString(text);
    return at;
  };
  const own = put(name);
  const places = functions.map((one) => ({
    name: put(one.name),
    address: one.forwarder === undefined ? 0x1000 : put(one.forwarder),
  }));
  table.u32(0, 0).u16(0, 0).u32(own, 1, count, count, addressesAt, namesAt, ordinalsAt);
  for (const { address } of places) table.u32(address);
  for (const place of places) table.u32(place.name);
  for (let index = 0; index < count; index += 1) table.u16(index);
  table.bytes(texts.done());
  directories.push({ index: 0, rva: start, size: table.length });
  writer.bytes(table.done());
}

export const pdbGuid = Buffer.from('00112233445566778899aabbccddeeff', 'hex');

export function makeLoaderTables(sample: PeSample, rva: number, writer: Writer, directories: DirectoryEntry[]): void {
  const base = sample.is64 ? imageBases.wide : imageBases.narrow;
  const pointer = (value: bigint): void => {
    if (sample.is64) writer.u64(value);
    else writer.u32(Number(value));
  };
  if (sample.tls === true) {
    writer.align(8);
    const callbacks = rva + writer.length;
    pointer(base + 0x1000n);
    pointer(0n);
    const start = rva + writer.length;
    for (const value of [0n, 0n, 0n, base + BigInt(callbacks)]) pointer(value);
    writer.u32(0, 0);
    directories.push({ index: 9, rva: start, size: sample.is64 ? 40 : 24 });
    writer.align(4);
    directories.push({ index: 5, rva: rva + writer.length, size: 12 });
    writer.u32(0x2000, 12).u16(sample.is64 ? 0xa008 : 0x3008, 0);
  }
  if (sample.pdb === undefined && sample.reproducible !== true) return;
  writer.align(4);
  const data = makeWriter()
    .text('RSDS')
    .bytes(pdbGuid)
    .u32(3)
    .cString(sample.pdb ?? '')
    .done();
  const dataAt = rva + writer.length;
  writer.bytes(data).align(4);
  const entries = [...(sample.pdb === undefined ? [] : [2]), ...(sample.reproducible === true ? [16] : [])];
  directories.push({ index: 6, rva: rva + writer.length, size: entries.length * 28 });
  for (const type of entries) {
    // The offset in the file follows from that of the section, which lies one sector behind that of the code.
    writer.u32(
      0,
      1_600_000_000,
      0,
      type,
      type === 2 ? data.length : 0,
      type === 2 ? dataAt : 0,
      type === 2 ? rawOf(sample, dataAt - rva) : 0,
    );
  }
}

const rawOf = (sample: PeSample, within: number): number => (sample.noText === true ? 0x400 : 0x600) + within;
