import { createHash } from 'node:crypto';
import { makeWriter, type Writer } from '../pe/writer.ts';

/** Mach-O files with one segment of code, libraries, symbols and a signature without a signer. */
export interface MachSample {
  readonly cpu: number;
  readonly fileType?: number;
  readonly installName?: string;
  readonly libraries?: readonly string[];
  readonly rpaths?: readonly string[];
  /** With the position of their library, from 1. */
  readonly imports?: readonly (readonly [name: string, library: number])[];
  readonly exports?: readonly string[];
  readonly writableCode?: boolean;
  readonly sign?: { readonly identifier: string; readonly team?: string; readonly entitlements?: string };
}

export const machUuid = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const codeAt = 0x1000;

export function makeMach(sample: MachSample): Buffer {
  const is64 = sample.cpu >= 0x01000000;
  const strings = makeWriter().u8(0x20, 0);
  const table = makeWriter();
  const symbol = (name: string, type: number, section: number, description: number): void => {
    table.u32(strings.length).u8(type, section).u16(description);
    if (is64) table.u64(type === 1 ? 0 : codeAt);
    else table.u32(type === 1 ? 0 : codeAt);
    strings.cString(name);
  };
  for (const name of sample.exports ?? []) symbol(`_${name}`, 0x0f, 1, 0);
  for (const [name, library] of sample.imports ?? []) symbol(`_${name}`, 0x01, 0, library << 8);
  const symbolCount = (sample.exports?.length ?? 0) + (sample.imports?.length ?? 0);
  const linkAt = codeAt + 0x100;
  const stringsAt = linkAt + table.length;
  const signatureAt = Math.ceil((stringsAt + strings.length) / 16) * 16;
  const signatureSize = sample.sign === undefined ? 0 : makeSignature(Buffer.alloc(signatureAt), sample.sign).length;
  const commands: Buffer[] = [
    segment(is64, '__TEXT', 0, codeAt + 0x100, sample.writableCode === true ? 7 : 5, true),
    segment(is64, '__LINKEDIT', linkAt, signatureAt + signatureSize - linkAt, 1, false),
    command(0x2, (writer) => writer.u32(linkAt, symbolCount, stringsAt, strings.length)),
    command(0x1b, (writer) => writer.bytes(machUuid)),
    command(0x32, (writer) => writer.u32(1, 0x000c0000, 0x000d0100, 0)),
    command(0x80000028, (writer) => writer.u64(codeAt, 0)),
    ...(sample.installName === undefined ? [] : [dylib(0xd, sample.installName)]),
    ...(sample.libraries ?? []).map((name) => dylib(0xc, name)),
    ...(sample.rpaths ?? []).map((path) => command(0x8000001c, (writer) => writer.u32(12).cString(path).align(8))),
    ...(sample.sign === undefined ? [] : [command(0x1d, (writer) => writer.u32(signatureAt, signatureSize))]),
  ];
  const all = Buffer.concat(commands);
  const file = makeWriter().u32(
    is64 ? 0xfeedfacf : 0xfeedface,
    sample.cpu,
    3,
    sample.fileType ?? 2,
    commands.length,
    all.length,
    0x200085,
  );
  if (is64) file.u32(0);
  file
    .bytes(all)
    .bytes(Buffer.alloc(codeAt - file.length))
    .bytes(Buffer.alloc(0x100, 0x90));
  file.bytes(table.done()).bytes(strings.done()).align(16);
  const unsigned = file.done();
  return sample.sign === undefined ? unsigned : Buffer.concat([unsigned, makeSignature(unsigned, sample.sign)]);
}

const dylib = (id: number, name: string): Buffer =>
  command(id, (writer) => writer.u32(24, 2, 0x00010200, 0x00010000).cString(name).align(8));

function command(id: number, fill: (writer: Writer) => Writer): Buffer {
  const content = fill(makeWriter()).align(4).done();
  return makeWriter()
    .u32(id, content.length + 8)
    .bytes(content)
    .done();
}

function segment(
  is64: boolean,
  name: string,
  offset: number,
  size: number,
  rights: number,
  hasSection: boolean,
): Buffer {
  return command(is64 ? 0x19 : 0x1, (writer) => {
    const word = (...values: readonly number[]): Writer => (is64 ? writer.u64(...values) : writer.u32(...values));
    writer.text(name, 16);
    word(offset, size, offset, size).u32(rights, rights, hasSection ? 1 : 0, 0);
    if (!hasSection) return writer;
    writer.text('__text', 16).text(name, 16);
    word(codeAt, 0x100).u32(codeAt, 0, 0, 0, 0x80000400, 0, 0);
    return is64 ? writer.u32(0) : writer;
  });
}

function makeSignature(code: Buffer, { identifier, team, entitlements }: NonNullable<MachSample['sign']>): Buffer {
  const pages = Math.ceil(code.length / 4096);
  const identAt = 52;
  const teamAt = team === undefined ? 0 : identAt + identifier.length + 1;
  const hashAt = identAt + identifier.length + 1 + (team === undefined ? 0 : team.length + 1);
  const directory = makeWriter('big').u32(
    0xfade0c02,
    hashAt + pages * 32,
    0x20200,
    0x2,
    hashAt,
    identAt,
    0,
    pages,
    code.length,
  );
  directory.u8(32, 2, 0, 12).u32(0, 0, teamAt).cString(identifier);
  if (team !== undefined) directory.cString(team);
  for (let page = 0; page < pages; page += 1)
    directory.bytes(
      createHash('sha256')
        .update(code.subarray(page * 4096, (page + 1) * 4096))
        .digest(),
    );
  const blobs: [number, Buffer][] = [[0, directory.done()]];
  if (entitlements !== undefined)
    blobs.push([
      5,
      makeWriter('big')
        .u32(0xfade7171, entitlements.length + 8)
        .text(entitlements)
        .done(),
    ]);
  const head = 12 + blobs.length * 8;
  const total = blobs.reduce((sum, [, blob]) => sum + blob.length, head);
  const writer = makeWriter('big').u32(0xfade0cc0, total, blobs.length);
  let at = head;
  for (const [type, blob] of blobs) {
    writer.u32(type, at);
    at += blob.length;
  }
  for (const [, blob] of blobs) writer.bytes(blob);
  return writer.done();
}

/** Several programs in one file. */
export function makeUniversal(slices: readonly { readonly cpu: number; readonly bytes: Uint8Array }[]): Buffer {
  const writer = makeWriter('big').u32(0xcafebabe, slices.length);
  let at = 0x1000;
  for (const { cpu, bytes } of slices) {
    writer.u32(cpu, 3, at, bytes.length, 12);
    at = Math.ceil((at + bytes.length) / 0x1000) * 0x1000;
  }
  for (const { bytes } of slices) writer.align(0x1000).bytes(bytes);
  return writer.done();
}
