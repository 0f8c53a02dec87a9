import { join, le16, le32, put, raw } from './build.ts';

/** Programs that run nowhere: headers with nothing behind them. */

export interface PeWish {
  readonly isWide?: boolean;
  readonly isDotnet?: boolean;
  readonly words?: string;
  readonly sections?: readonly string[];
}

export function makePe({
  isWide = false,
  isDotnet = false,
  words = '',
  sections = ['.text'],
}: PeWish = {}): Uint8Array {
  const header = 0x80;
  const optionalBytes = isWide ? 240 : 224;
  const directories = header + 24 + (isWide ? 112 : 96);
  const table = header + 24 + optionalBytes;
  const end = 0x400 + 0x200 * sections.length;
  const places: (readonly [number, string | Uint8Array])[] = [
    [0, 'MZ\x90\0\x03\0\0\0\x04\0'],
    [0x3c, le32(header)],
    [0x4e, 'This program cannot be run in DOS mode.\r\r\n$'],
    [header, 'PE\0\0'],
    [header + 4, le16(isWide ? 0x8664 : 0x14c)],
    [header + 6, le16(sections.length)],
    [header + 20, le16(optionalBytes)],
    [header + 22, le16(0x102)],
    [header + 24, le16(isWide ? 0x20b : 0x10b)],
    [header + 24 + 68, le16(3)],
    [directories - 4, le32(16)],
  ];
  if (isDotnet) places.push([directories + 14 * 8, join(le32(0x2008), le32(72))]);
  for (const [index, name] of sections.entries()) {
    places.push([table + index * 40, name.padEnd(8, '\0')]);
    places.push([table + index * 40 + 16, join(le32(0x200), le32(0x400 + 0x200 * index))]);
  }
  return join(put(end, places), raw(words));
}

export function makeElf(words = ''): Uint8Array {
  const places: (readonly [number, string | Uint8Array])[] = [
    [0, '\x7fELF\x02\x01\x01'],
    [16, le16(2)],
    [18, le16(62)],
    [0x3c, le16(1)],
  ];
  return join(put(128, places), raw(words));
}

export function makeMacho(): Uint8Array {
  return put(64, [[0, join(le32(0xfeedfacf), le32(0x01000007), le32(3), le32(2), le32(1))]]);
}
