import { makePe } from './make-pe.ts';
import { makeWriter, type Writer } from './writer.ts';

/** A .NET assembly with one class, one method, one call to Windows and one resource. Its method has no body. */
export interface DotnetSample {
  readonly name: string;
  readonly types?: readonly string[];
  readonly references?: readonly (readonly [space: string, name: string])[];
  readonly members?: readonly string[];
  readonly userStrings?: readonly string[];
  readonly platformCall?: { readonly dll: string; readonly function: string };
  readonly resource?: { readonly name: string; readonly bytes: Uint8Array };
  readonly extraStream?: string;
}

export const dotnetMvid = Buffer.from('0102030405060708090a0b0c0d0e0f10', 'hex');

export const makeDotnet = (sample: DotnetSample): Buffer =>
  makePe({
    is64: false,
    imports: [{ dll: 'mscoree.dll', functions: ['_CorExeMain'] }],
    clr: (rva) => makeClr(sample, rva),
  });

function makeClr(sample: DotnetSample, rva: number): Buffer {
  const resources = makeWriter();
  if (sample.resource !== undefined) resources.u32(sample.resource.bytes.length).bytes(sample.resource.bytes).align(8);
  const metadata = makeRoot(sample);
  const metadataAt = rva + 72 + resources.length;
  return makeWriter()
    .u32(72)
    .u16(2, 5)
    .u32(metadataAt, metadata.length, 1, 0x06000001, rva + 72, resources.length)
    .bytes(Buffer.alloc(72 - 32))
    .bytes(resources.done())
    .bytes(metadata)
    .done();
}

function makeRoot(sample: DotnetSample): Buffer {
  const strings = makeWriter().u8(0);
  const text = (value: string): number => {
    const at = strings.length;
    const bytes = Buffer.from(value, 'utf8');
    strings.bytes(bytes).u8(0);
    return value === '' ? 0 : at;
  };
  const tables = makeTables(sample, text);
  const userStrings = makeWriter().u8(0);
  for (const value of sample.userStrings ?? []) {
    const length = value.length * 2 + 1;
    if (length < 0x80) userStrings.u8(length);
    else userStrings.u8(0x80 | (length >> 8), length & 255);
    userStrings.bytes(Buffer.from(value, 'utf16le')).u8(0);
  }
  const blob = makeWriter().u8(0, 8).bytes(Buffer.from('b77a5c561934e089', 'hex')).u8(3, 0x20, 0, 1);
  const streams: [string, Buffer][] = [
    ['#~', tables.align(4).done()],
    ['#Strings', strings.align(4).done()],
    ['#US', userStrings.align(4).done()],
    ['#GUID', dotnetMvid],
    ['#Blob', blob.align(4).done()],
    ...(sample.extraStream === undefined ? [] : [[sample.extraStream, Buffer.alloc(4)] as [string, Buffer]]),
  ];
  const writer = makeWriter().u32(0x424a5342).u16(1, 1).u32(0, 12).text('v4.0.30319', 12).u16(0, streams.length);
  const headers = streams.reduce((sum, [name]) => sum + 8 + Math.ceil((name.length + 1) / 4) * 4, writer.length);
  let at = headers;
  for (const [name, bytes] of streams) {
    writer.u32(at, bytes.length).cString(name).align(4);
    at += bytes.length;
  }
  for (const [, bytes] of streams) writer.bytes(bytes);
  return writer.done();
}

function each<T>(list: readonly T[], write: (item: T, index: number) => Writer): void {
  for (const [index, item] of list.entries()) write(item, index);
}

/** All indexes fit into two bytes, since nothing here is large. */
function makeTables(sample: DotnetSample, text: (value: string) => number): Writer {
  const types = ['<Module>', ...(sample.types ?? ['Program'])];
  const references = sample.references ?? [['System', 'Object']];
  const members = sample.members ?? [];
  const call = sample.platformCall;
  const methods = ['Main', ...(call === undefined ? [] : [call.function])];
  const rows: [number, (writer: Writer) => void, number][] = [
    [0x00, (writer) => writer.u16(0, text(`${sample.name}.exe`), 1, 0, 0), 1],
    [
      0x01,
      (writer) => each(references, ([space, name]) => writer.u16((1 << 2) | 2, text(name), text(space))),
      references.length,
    ],
    [
      0x02,
      (writer) =>
        each(types, (name, index) =>
          writer.u32(0).u16(text(name), text(index === 0 ? '' : 'Sample'), 0, 1, index < 2 ? 1 : methods.length + 1),
        ),
      types.length,
    ],
    [0x06, (writer) => each(methods, (name) => writer.u32(0).u16(0, 0x16, text(name), 10, 1)), methods.length],
    [0x0a, (writer) => each(members, (name) => writer.u16((1 << 3) | 1, text(name), 10)), members.length],
    [0x1a, (writer) => writer.u16(text(call?.dll ?? '')), call === undefined ? 0 : 1],
    [0x1c, (writer) => writer.u16(0x100, (2 << 1) | 1, text(call?.function ?? ''), 1), call === undefined ? 0 : 1],
    [0x20, (writer) => writer.u32(0x8004).u16(1, 2, 3, 4).u32(0).u16(0, text(sample.name), 0), 1],
    [0x23, (writer) => writer.u16(4, 0, 0, 0).u32(0).u16(1, text('mscorlib'), 0, 0), 1],
    [
      0x28,
      (writer) => writer.u32(0, 1).u16(text(sample.resource?.name ?? ''), 0),
      sample.resource === undefined ? 0 : 1,
    ],
  ];
  const present = rows.filter(([, , count]) => count > 0);
  const mask = present.reduce((bits, [table]) => bits | (1n << BigInt(table)), 0n);
  const writer = makeWriter().u32(0).u8(2, 0, 0, 1).u64(mask, 0n);
  for (const [, , count] of present) writer.u32(count);
  for (const [, write] of present) write(writer);
  return writer;
}
