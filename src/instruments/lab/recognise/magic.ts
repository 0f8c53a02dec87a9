import type { KindId } from '../kinds.ts';

/** Kinds that a few bytes at a fixed place tell for certain. Words are bytes, one per character. */

export interface Magic {
  readonly kind: KindId;
  readonly title: string;
  readonly mime: string;
  readonly at: number;
  readonly word: string;
  /** A second word that has to be there as well. */
  readonly also?: { readonly at: number; readonly word: string };
}

const row = (kind: KindId, title: string, mime: string, word: string, at = 0): Magic => ({
  kind,
  title,
  mime,
  at,
  word,
});

const pictures = [
  row('image', 'PNG picture', 'image/png', '\x89PNG\r\n\x1a\n'),
  row('image', 'JPEG picture', 'image/jpeg', '\xff\xd8\xff'),
  row('image', 'GIF picture', 'image/gif', 'GIF87a'),
  row('image', 'GIF picture', 'image/gif', 'GIF89a'),
  row('image', 'TIFF picture', 'image/tiff', 'II*\0'),
  row('image', 'TIFF picture', 'image/tiff', 'MM\0*'),
  row('image', 'Photoshop picture', 'image/vnd.adobe.photoshop', '8BPS\0\x01'),
  { ...row('image', 'WebP picture', 'image/webp', 'RIFF'), also: { at: 8, word: 'WEBP' } },
  { ...row('image', 'BMP picture', 'image/bmp', 'BM'), also: { at: 6, word: '\0\0\0\0' } },
];

const packed = [
  row('7z', '7-Zip archive', 'application/x-7z-compressed', "7z\xbc\xaf'\x1c"),
  row('rar', 'RAR archive, version 4 or older', 'application/vnd.rar', 'Rar!\x1a\x07\0'),
  row('rar', 'RAR archive, version 5', 'application/vnd.rar', 'Rar!\x1a\x07\x01\0'),
  row('gzip', 'gzip data', 'application/gzip', '\x1f\x8b\x08'),
  row('bzip2', 'bzip2 data', 'application/x-bzip2', 'BZh'),
  row('xz', 'xz data', 'application/x-xz', '\xfd7zXZ\0'),
  row('zstd', 'Zstandard data', 'application/zstd', '(\xb5/\xfd'),
  { ...row('cab', 'Windows cabinet', 'application/vnd.ms-cab-compressed', 'MSCF'), also: { at: 4, word: '\0\0\0\0' } },
  row('chm', 'compiled HTML help (CHM)', 'application/vnd.ms-htmlhelp', 'ITSF'),
];

const code = [
  row('wasm', 'WebAssembly module', 'application/wasm', '\0asm'),
  row('dex', 'Dalvik code (DEX)', 'application/x-dex', 'dex\n'),
  row('autoit', 'compiled AutoIt script', 'application/x-autoit', '\xa3HK\xbe\x98lJ\xa9\x99LS\n\x86\xd6H}'),
];

const captures = [
  row('pcap', 'packet capture (pcap)', 'application/vnd.tcpdump.pcap', '\xd4\xc3\xb2\xa1'),
  row('pcap', 'packet capture (pcap, big endian)', 'application/vnd.tcpdump.pcap', '\xa1\xb2\xc3\xd4'),
  row('pcap', 'packet capture (pcap, nanoseconds)', 'application/vnd.tcpdump.pcap', 'M<\xb2\xa1'),
  row('pcap', 'packet capture (pcap, nanoseconds, big endian)', 'application/vnd.tcpdump.pcap', '\xa1\xb2<M'),
  { ...row('pcap', 'packet capture (pcapng)', 'application/x-pcapng', '\n\r\r\n'), also: { at: 8, word: 'M<+\x1a' } },
  {
    ...row('pcap', 'packet capture (pcapng, big endian)', 'application/x-pcapng', '\n\r\r\n'),
    also: { at: 8, word: '\x1a+<M' },
  },
];

const windows = [
  row('lnk', 'Windows shortcut (LNK)', 'application/x-ms-shortcut', 'L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0F'),
  row('onenote', 'OneNote section', 'application/onenote', '\xe4R\\{\x8c\xd8\xa7M\xae\xb1Sx\xd0)\x96\xd3'),
  row(
    'onenote',
    'OneNote table of contents',
    'application/onenote',
    '\xa1/\xff\x43\xd9\xef\x76\x4c\x9e\xe2\x10\xea\x57\x22\x76\x5f',
  ),
  row('registry', 'registry hive', 'application/x-windows-registry', 'regf'),
  row('registry', 'registry policy file', 'application/x-windows-registry', 'PReg\x01\0\0\0'),
  row('sqlite', 'SQLite database', 'application/vnd.sqlite3', 'SQLite format 3\0'),
];

const memory = [
  row('memory', 'Windows crash dump, 32-bit', 'application/x-memory-image', 'PAGEDUMP'),
  row('memory', 'Windows crash dump, 64-bit', 'application/x-memory-image', 'PAGEDU64'),
  row('memory', 'Windows minidump', 'application/x-dmp', 'MDMP\x93\xa7'),
  row('memory', 'Linux memory image (LiME)', 'application/x-memory-image', 'EMiL'),
  row('memory', 'Linux memory image (AVML)', 'application/x-memory-image', 'AVML'),
  row('memory', 'Windows hibernation file', 'application/x-memory-image', 'hibr'),
  row('memory', 'Windows hibernation file', 'application/x-memory-image', 'HIBR'),
  row('memory', 'Windows hibernation file', 'application/x-memory-image', 'wake'),
  row('memory', 'Windows hibernation file', 'application/x-memory-image', 'WAKE'),
  row('memory', 'saved state of a virtual machine (VMware)', 'application/x-memory-image', '\xd2\xbe\xd2\xbe'),
  row('memory', 'saved state of a virtual machine (VMware)', 'application/x-memory-image', '\xd1\xba\xd1\xba'),
  row('memory', 'saved state of a virtual machine (VMware)', 'application/x-memory-image', '\xd0\xbe\xd2\xbe'),
];

export const magics: readonly Magic[] = [...pictures, ...packed, ...code, ...captures, ...windows, ...memory];
