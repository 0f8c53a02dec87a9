import { makeWriter, type Writer } from './writer.ts';

export interface SampleResource {
  readonly type: number | string;
  readonly name: number | string;
  readonly language: number;
  readonly bytes: Uint8Array;
}

/** Three levels of folders; every leaf has a folder of its own, so no sorting or grouping is needed but by type. */
export function makeResources(resources: readonly SampleResource[], rva: number): Buffer {
  const types = [...new Set(resources.map(({ type }) => type))];
  const level1 = 16 + types.length * 8;
  const folderSize = 16 + 8;
  const level2 = types.map((type) => 16 + resources.filter((one) => one.type === type).length * 8);
  const level2At = level2.map((_, index) => level1 + level2.slice(0, index).reduce((sum, size) => sum + size, 0));
  const level3At = level1 + level2.reduce((sum, size) => sum + size, 0);
  const leavesAt = level3At + resources.length * folderSize;
  const textsAt = leavesAt + resources.length * 16;
  const texts = makeWriter();
  const id = (value: number | string): number => {
    if (typeof value === 'number') return value;
    const at = textsAt + texts.length;
    texts.u16(value.length).bytes(Buffer.from(value, 'utf16le'));
    return 0x80000000 + at;
  };
  const writer = makeWriter();
  folder(writer, types.length);
  types.forEach((type, index) => {
    writer.u32(id(type), 0x80000000 + (level2At[index] ?? 0));
  });
  const ordered = types.flatMap((type) => resources.filter((one) => one.type === type));
  for (const type of types) {
    const own = ordered.filter((one) => one.type === type);
    folder(writer, own.length);
    for (const one of own) writer.u32(id(one.name), 0x80000000 + level3At + ordered.indexOf(one) * folderSize);
  }
  ordered.forEach((one, index) => {
    folder(writer, 1);
    writer.u32(one.language, leavesAt + index * 16);
  });
  const names = texts.align(8).done();
  let dataAt = rva + textsAt + names.length;
  for (const { bytes } of ordered) {
    writer.u32(dataAt, bytes.length, 0, 0);
    dataAt += Math.ceil(bytes.length / 8) * 8;
  }
  writer.bytes(names);
  for (const { bytes } of ordered) writer.bytes(Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]));
  return writer.done();
}

const folder = (writer: Writer, count: number): void => {
  writer.u32(0, 0, 0).u16(0, count);
};

export function makeVersionInfo(
  strings: Readonly<Record<string, string>>,
  version: readonly [number, number, number, number],
): Buffer {
  const [major, minor, build, revision] = version;
  const high = major * 65_536 + minor;
  const low = build * 65_536 + revision;
  const fixed = makeWriter().u32(0xfeef04bd, 0x10000, high, low, high, low, 0x3f, 0, 0x40004, 1, 0, 0, 0).done();
  const entries = Object.entries(strings).map(([key, value]) =>
    block(key, Buffer.from(`${value}\0`, 'utf16le'), [], true),
  );
  const table = block('040904b0', Buffer.alloc(0), entries, true);
  const translation = block('Translation', makeWriter().u16(0x409, 1200).done(), [], false);
  return block(
    'VS_VERSION_INFO',
    fixed,
    [
      block('StringFileInfo', Buffer.alloc(0), [table], true),
      block('VarFileInfo', Buffer.alloc(0), [translation], true),
    ],
    false,
  );
}

function block(key: string, value: Buffer, children: readonly Buffer[], isText: boolean): Buffer {
  const writer = makeWriter()
    .u16(0, isText ? value.length / 2 : value.length, isText ? 1 : 0)
    .utf16(key)
    .align(4)
    .bytes(value);
  for (const child of children) writer.align(4).bytes(child);
  const bytes = writer.done();
  bytes.writeUInt16LE(bytes.length, 0);
  return bytes;
}
