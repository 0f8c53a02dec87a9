import type { HostileArchive } from './hostile-archive.ts';
import { type ZipEntry, zip } from './zip-bytes.ts';

const goodZip: ZipEntry = { name: 'good.js', content: 'good' };
const keptZip = { 'good.js': 'good' };
const link = { mode: 0o120777 } as const;

function zipOf(...entries: readonly ZipEntry[]): () => Buffer {
  return () => zip([...entries, goodZip]);
}

export const hostileZips: readonly HostileArchive[] = [
  {
    what: 'dots that lead out',
    make: zipOf({ name: '../evil', content: 'evil' }),
    reported: ['path-traversal'],
    disk: keptZip,
  },
  { what: 'an absolute path', make: zipOf({ name: '/tmp/hotcell-evil' }), reported: ['absolute-path'], disk: keptZip },
  { what: 'backslashes that lead out', make: zipOf({ name: '..\\evil' }), reported: ['path-traversal'], disk: keptZip },
  { what: 'a drive letter', make: zipOf({ name: 'C:\\evil' }), reported: ['drive-letter'], disk: keptZip },
  { what: 'NUL in the name', make: zipOf({ name: 'a\0.js' }), reported: ['nul-in-name'], disk: keptZip },
  {
    what: 'a symbolic link out',
    make: zipOf({ name: 'l', content: '/etc/passwd', ...link }),
    reported: ['link-out'],
    disk: keptZip,
  },
  {
    what: 'a file through an earlier link',
    make: zipOf({ name: 'l', content: '/tmp', ...link }, { name: 'l/hotcell-evil', content: 'evil' }),
    reported: ['link-out', 'through-link'],
    disk: keptZip,
  },
  {
    what: 'a link with a target of 1 MB',
    make: zipOf({ name: 'l', content: 'a/'.repeat(500_000), ...link }),
    reported: ['link-not-followed'],
    disk: keptZip,
  },
  { what: 'a pipe', make: zipOf({ name: 'p', mode: 0o010644 }), reported: ['special-file'], disk: keptZip },
  {
    what: 'setuid',
    make: zipOf({ name: 's', content: 'x', mode: 0o104755 }),
    reported: ['set-id-mode'],
    disk: { ...keptZip, s: 'x' },
  },
  {
    what: 'an encrypted entry',
    make: zipOf({ name: 'e', content: 'x', flags: 0x801 }),
    reported: ['encrypted'],
    disk: keptZip,
  },
  {
    what: 'strong encryption',
    make: zipOf({ name: 'e', content: 'x', flags: 0x841 }),
    reported: ['encrypted'],
    disk: {},
    isComplete: false,
  },
  {
    what: 'a method that is not known',
    make: zipOf({ name: 'm', content: 'x', method: 99 }),
    reported: ['unsupported-compression'],
    disk: keptZip,
  },
  {
    what: 'names that differ in case',
    make: zipOf({ name: 'GOOD.js', content: 'evil' }),
    reported: ['name-collision'],
    disk: { ...keptZip, 'GOOD.js': 'evil' },
  },
  {
    what: 'the same name twice: the last one counts',
    make: zipOf({ name: 'good.js', content: 'evil' }),
    reported: ['duplicate-entry'],
    disk: keptZip,
  },
  {
    what: 'two headers with different names',
    make: zipOf({ name: 'shown.js', localName: 'other.js', content: 'evil' }),
    reported: ['name-differs'],
    disk: { ...keptZip, 'shown.js': 'evil' },
  },
  {
    what: 'a checksum that does not fit',
    make: zipOf({ name: 'x', content: 'evil', claimedChecksum: 1 }),
    reported: ['wrong-checksum'],
    disk: { ...keptZip, x: 'evil' },
  },
  {
    what: 'smaller than it says',
    make: zipOf({ name: 'x', content: 'evil', claimedSize: 4_000_000_000 }),
    reported: ['size-differs'],
    disk: { ...keptZip, x: 'evil' },
  },
  {
    what: 'larger than it says',
    make: zipOf({ name: 'x', content: 'evil', claimedSize: 1 }),
    reported: ['size-differs'],
    disk: { ...keptZip, x: 'evil' },
  },
  {
    what: 'entries that share their data',
    make: () =>
      zip([{ name: 'a', content: 'evil' }, { name: 'b', content: 'evil', offset: 0, isWithoutData: true }, goodZip]),
    reported: ['overlapping'],
    disk: keptZip,
  },
  {
    what: 'an entry that contains another one',
    make: () => zip([{ name: 'a', content: 'evil', claimedCompressedSize: 60 }, goodZip]),
    reported: ['overlapping'],
    disk: {},
  },
  {
    what: 'an entry that begins outside',
    make: zipOf({ name: 'x', content: 'evil', offset: 9_000_000 }),
    reported: ['broken-entry'],
    disk: keptZip,
  },
  {
    what: 'data that are not compressed',
    make: zipOf({ name: 'x', content: Buffer.from([0xff, 0xff, 0xff, 0xff]), isStored: true, method: 8 }),
    reported: ['broken-entry'],
    disk: keptZip,
  },
  {
    what: 'more entries than there are',
    make: () => zip([goodZip], { claimedEntries: 2 }),
    reported: ['broken'],
    disk: {},
    isComplete: false,
  },
  {
    what: '2^53 entries in 64 bits',
    make: () => zip([goodZip], { zip64: { entries: 2n ** 53n - 1n } }),
    reported: ['broken'],
    disk: {},
    isComplete: false,
  },
  {
    what: 'a directory at 2^60',
    make: () => zip([goodZip], { zip64: { entries: 1n, offset: 2n ** 60n } }),
    reported: ['broken'],
    disk: {},
    isComplete: false,
  },
  {
    what: 'a 64-bit field that is too short',
    make: () => zip([{ ...goodZip, claimedSize: 0xffffffff, extra: Buffer.from([1, 0, 2, 0, 0, 0]) }]),
    reported: ['broken'],
    disk: {},
    isComplete: false,
  },
  {
    what: 'cut in the middle',
    make: () => zip([goodZip]).subarray(0, 40),
    reported: ['truncated'],
    disk: {},
    isComplete: false,
  },
  {
    what: 'data behind the end',
    make: () => Buffer.concat([zip([goodZip]), Buffer.from('hidden')]),
    reported: ['trailing-data'],
    disk: keptZip,
  },
  {
    what: 'a signature behind the end is no harm',
    make: () => Buffer.concat([zip([goodZip]), Buffer.from('MCPB_SIG_V1....MCPB_SIG_END')]),
    reported: [],
    disk: keptZip,
  },
  {
    what: 'a second end in the comment',
    make: () =>
      zip([goodZip], {
        comment: zip([{ name: 'evil', content: 'evil' }])
          .subarray(-22)
          .toString('latin1'),
      }),
    reported: ['broken'],
    disk: {},
    isComplete: false,
  },
];
