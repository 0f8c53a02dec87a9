import { join, le16, le32, put, raw, utf16le } from './build.ts';

export interface OleStream {
  readonly name: string;
  /** The first bytes; the stream is made long enough not to be a small one. */
  readonly head?: Uint8Array;
}

const sector = 512;
const streamSectors = 8;

function entry(name: string, type: number, start: number, size: number, clsid: string): Uint8Array {
  const text = utf16le(name);
  return put(128, [
    [0, text],
    [64, le16(text.length + 2)],
    [66, Uint8Array.of(type, 1)],
    [80, Uint8Array.from(Buffer.from(clsid, 'hex'))],
    [116, le32(start)],
    [120, le32(size)],
  ]);
}

/** An OLE2 container with a flat directory: one sector of FAT, then the directory, then the streams. */
export function makeOle2(streams: readonly OleStream[], clsid = ''): Uint8Array {
  const directorySectors = Math.ceil((streams.length + 1) / 4);
  const first = 1 + directorySectors;
  const header = put(sector, [
    [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    [24, join(le16(0x3e), le16(3), le16(0xfffe), le16(9), le16(6))],
    [44, join(le32(1), le32(1))],
    [56, join(le32(4096), le32(0xfffffffe), le32(0), le32(0xfffffffe), le32(0))],
    [76, join(le32(0), ...Array.from({ length: 108 }, () => le32(0xffffffff)))],
  ]);
  const chain = (from: number, count: number): readonly number[] =>
    Array.from({ length: count }, (_, index) => (index === count - 1 ? 0xfffffffe : from + index + 1));
  const fat = [
    0xfffffffd,
    ...chain(1, directorySectors),
    ...streams.flatMap((_, index) => chain(first + index * streamSectors, streamSectors)),
  ];
  const table = join(...Array.from({ length: 128 }, (_, index) => le32(fat[index] ?? 0xffffffff)));
  const entries = join(
    entry('Root Entry', 5, 0xfffffffe, 0, clsid),
    ...streams.map(({ name }, index) => entry(name, 2, first + index * streamSectors, sector * streamSectors, '')),
  );
  const bodies = streams.map(({ head = raw('') }) => put(sector * streamSectors, [[0, head]]));
  return join(header, table, put(directorySectors * sector, [[0, entries]]), ...bodies);
}
