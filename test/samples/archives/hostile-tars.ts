import { gzipSync } from 'node:zlib';
import type { HostileArchive } from './hostile-archive.ts';
import { gnuLong, pax, type TarEntry, tar, tarEnd, tarEntry, tarHeader, tgz } from './tar-bytes.ts';

const good: TarEntry = { name: 'package/good.js', content: 'good' };
const kept = { 'package/good.js': 'good' };
const evil = (name: string | Buffer, more: Partial<TarEntry> = {}): TarEntry => ({ name, content: 'evil', ...more });
const deep = (count: number): string => `${'d/'.repeat(count)}x`;

function tarOf(...entries: readonly TarEntry[]): () => Buffer {
  return () => tgz(...entries, good);
}

function fifty(extra: number): Buffer {
  const field = Buffer.alloc(12);
  field[0] = 0x80;
  field.writeUInt32BE(extra, 4);
  return field;
}

export const hostileTars: readonly HostileArchive[] = [
  { what: 'dots that lead out', make: tarOf(evil('../evil')), reported: ['path-traversal'], disk: kept },
  { what: 'dots in the middle', make: tarOf(evil('package/../../evil')), reported: ['path-traversal'], disk: kept },
  { what: 'an absolute path', make: tarOf(evil('/tmp/hotcell-evil')), reported: ['absolute-path'], disk: kept },
  { what: 'backslashes that lead out', make: tarOf(evil('a\\..\\..\\evil')), reported: ['path-traversal'], disk: kept },
  {
    what: 'backslashes that stay inside',
    make: tarOf(evil('a\\b.js')),
    reported: ['backslash'],
    disk: { ...kept, 'a/b.js': 'evil' },
  },
  { what: 'a drive letter', make: tarOf(evil('C:evil')), reported: ['drive-letter'], disk: kept },
  { what: 'a share of Windows', make: tarOf(evil('\\\\host\\share\\evil')), reported: ['absolute-path'], disk: kept },
  {
    what: 'NUL in an extended name',
    make: tarOf(pax({ path: 'a\0b' }), evil('x')),
    reported: ['nul-in-name'],
    disk: kept,
  },
  {
    what: 'an extended name that leads out',
    make: tarOf(pax({ path: '../../evil' }), evil('x')),
    reported: ['path-traversal'],
    disk: kept,
  },
  {
    what: 'a long name that leads out',
    make: tarOf(gnuLong('../evil'), evil('x')),
    reported: ['path-traversal'],
    disk: kept,
  },
  {
    what: 'a prefix that leads out',
    make: tarOf(evil('evil', { prefix: '..' })),
    reported: ['path-traversal'],
    disk: kept,
  },
  {
    what: 'a name that is no UTF-8',
    make: tarOf(evil(Buffer.from([0x61, 0xff, 0x62]))),
    reported: ['odd-name'],
    disk: { ...kept, 'a%FFb': 'evil' },
  },
  {
    what: 'a name with colours and a line break',
    make: tarOf(evil('\x1b[31m\nx')),
    reported: ['odd-name'],
    disk: { ...kept, '\x1b[31m\nx': 'evil' },
  },
  {
    what: 'a name that reads backwards',
    make: tarOf(evil('a\u202esj.x')),
    reported: ['odd-name'],
    disk: { ...kept, 'a\u202esj.x': 'evil' },
  },
  { what: 'no name', make: tarOf(evil('')), reported: ['empty-name'], disk: kept },
  {
    what: 'a symbolic link out',
    make: tarOf({ name: 'package/l', type: '2', link: '/etc' }),
    reported: ['link-out'],
    disk: kept,
  },
  {
    what: 'a relative symbolic link out',
    make: tarOf({ name: 'package/l', type: '2', link: '../../etc' }),
    reported: ['link-out'],
    disk: kept,
  },
  {
    what: 'a file through an earlier link',
    make: tarOf({ name: 'l', type: '2', link: '/tmp' }, evil('l/hotcell-evil')),
    reported: ['link-out', 'through-link'],
    disk: kept,
  },
  {
    what: 'a link through an earlier link',
    make: tarOf({ name: 'l', type: '2', link: 'package' }, { name: 'l/m', type: '2', link: '../..' }),
    reported: ['link-not-followed', 'through-link'],
    disk: kept,
  },
  {
    what: 'a file that takes the place of a link out',
    make: tarOf({ name: 'l', type: '2', link: '/tmp/hotcell-evil' }, evil('l')),
    reported: ['duplicate-entry'],
    disk: { ...kept, l: 'evil' },
  },
  {
    what: 'a hard link out',
    make: tarOf({ name: 'package/l', type: '1', link: '/etc/passwd' }),
    reported: ['link-out'],
    disk: kept,
  },
  {
    what: 'a hard link out with dots',
    make: tarOf({ name: 'package/l', type: '1', link: '../../../etc/passwd' }),
    reported: ['link-out'],
    disk: kept,
  },
  {
    what: 'links to a file inside become copies',
    make: tarOf({ name: 'package/s', type: '2', link: 'good.js' }, { name: 'h', type: '1', link: 'package/good.js' }),
    reported: [],
    disk: { ...kept, 'package/s': 'good', h: 'good' },
  },
  {
    what: 'links in a circle',
    make: tarOf(
      { name: 'a', type: '2', link: 'b' },
      { name: 'b', type: '2', link: 'a' },
      { name: 'c', type: '2', link: 'c' },
    ),
    reported: ['link-not-followed'],
    disk: kept,
  },
  {
    what: 'many copies of one large file',
    make: () =>
      tgz(
        { name: 'f', content: Buffer.alloc(4000, 1) },
        ...Array.from({ length: 50 }, (_, at) => ({ name: `l${at}`, type: '1', link: 'f' })),
      ),
    limits: { maxTotalBytes: 100_000 },
    reported: ['too-large-total'],
    disk: { f: '\x01'.repeat(4000), l0: '\x01'.repeat(4000) },
    isComplete: false,
  },
  {
    what: 'devices and a pipe',
    make: tarOf({ name: 'c', type: '3' }, { name: 'b', type: '4' }, { name: 'p', type: '6' }),
    reported: ['special-file'],
    disk: kept,
  },
  {
    what: 'setuid and setgid',
    make: tarOf(evil('s', { mode: 0o6755 })),
    reported: ['set-id-mode'],
    disk: { ...kept, s: 'evil' },
  },
  {
    what: 'names that differ in case',
    make: tarOf(evil('README'), evil('readme')),
    reported: ['name-collision'],
    disk: { ...kept, README: 'evil', readme: 'evil' },
  },
  {
    what: 'names that differ in Unicode form',
    make: tarOf(evil('\u00e9'), evil('e\u0301')),
    reported: ['name-collision'],
    disk: { ...kept, '\u00e9': 'evil', 'e\u0301': 'evil' },
  },
  {
    what: 'the same name twice: the last one counts',
    make: tarOf(evil('x', { content: 'harmless' }), evil('x')),
    reported: ['duplicate-entry'],
    disk: { ...kept, x: 'evil' },
  },
  {
    what: 'the same name written differently',
    make: tarOf(evil('a/x', { content: 'harmless' }), evil('./a//./x')),
    reported: ['duplicate-entry'],
    disk: { ...kept, 'a/x': 'evil' },
  },
  {
    what: 'a file, then a folder of that name',
    make: tarOf(evil('a'), evil('a/b')),
    reported: ['file-folder-conflict'],
    disk: { ...kept, a: 'evil' },
  },
  {
    what: 'a folder, then a file of that name',
    make: tarOf(evil('a/b'), evil('a')),
    reported: ['file-folder-conflict'],
    disk: { ...kept, 'a/b': 'evil' },
  },
  {
    what: 'a path of 3,000 folders',
    make: tarOf(gnuLong(deep(3000)), evil('x')),
    reported: ['path-too-long'],
    disk: kept,
  },
  {
    what: 'a path of 500 folders',
    make: tarOf(gnuLong(deep(500)), evil('x')),
    reported: ['path-too-deep'],
    disk: kept,
  },
  {
    what: 'a part of 300 bytes',
    make: tarOf(gnuLong('n'.repeat(300)), evil('x')),
    reported: ['path-too-long'],
    disk: kept,
  },
  {
    what: 'a sparse file of 10 GB',
    make: tarOf(evil('s', { type: 'S', magic: 'ustar  \0' })),
    reported: ['unsupported-entry'],
    disk: kept,
  },
  {
    what: 'a sparse file in extended headers',
    make: tarOf(pax({ 'GNU.sparse.realsize': '10000000000', 'GNU.sparse.major': '1' }), evil('s')),
    reported: ['unsupported-entry'],
    disk: kept,
  },
  {
    what: 'a kind of entry that is not known',
    make: tarOf(evil('q', { type: 'Q' })),
    reported: ['unsupported-entry'],
    disk: kept,
  },
  {
    what: 'an extended size that is no number',
    make: tarOf(pax({ size: '-1' }), evil('x')),
    reported: ['odd-header'],
    disk: { ...kept, x: 'evil' },
  },
  {
    what: 'an extended size that is a lie',
    make: tarOf(pax({ size: '999999999999999' }), evil('x')),
    reported: ['truncated'],
    disk: {},
    isComplete: false,
  },
  {
    what: 'an extended header that is cut',
    make: tarOf({ name: 'p', type: 'x', content: '99 path=evil\n' }, evil('x')),
    reported: ['odd-header'],
    disk: { ...kept, x: 'evil' },
  },
  {
    what: 'an extended header without end',
    make: tarOf({ name: 'p', type: 'x', content: Buffer.alloc(300 * 1024, 0x31) }, evil('x')),
    reported: ['odd-header'],
    disk: { ...kept, x: 'evil' },
  },
  {
    what: 'a global header that renames everything',
    make: tarOf(pax({ path: '../evil', comment: 'x' }, 'g')),
    reported: ['odd-header'],
    disk: kept,
  },
  {
    what: 'a size of 8 GB in octal',
    make: () => gzipSync(Buffer.concat([tarHeader({ name: 'x', size: 0o77777777777 }), tarEnd])),
    reported: ['truncated'],
    disk: {},
    isComplete: false,
  },
  {
    what: 'a size of 2^60 in bytes',
    make: () => gzipSync(Buffer.concat([tarHeader({ name: 'x', rawSize: fifty(0x10000000) }), tarEntry(good), tarEnd])),
    reported: ['broken-header'],
    disk: kept,
  },
  {
    what: 'a negative size',
    make: () => tgz(tarHeader({ name: 'x', rawSize: Buffer.alloc(12, 0xff) }), good),
    reported: ['broken-header'],
    disk: kept,
  },
  {
    what: 'a wrong checksum before the rest',
    make: () => tgz(tarHeader({ name: 'x', isChecksumWrong: true }), good),
    reported: ['broken-header'],
    disk: kept,
  },
  {
    what: 'a folder with content that is a header',
    make: () => tgz(tarHeader({ name: 'f/', type: '5', size: 1024 }), good),
    reported: ['size-differs'],
    disk: kept,
  },
  {
    what: 'cut in the middle',
    make: () => tar(good, evil('x')).subarray(0, 1200),
    reported: ['truncated'],
    disk: kept,
    isComplete: false,
  },
  {
    what: 'compressed and cut in the middle',
    make: () => {
      const whole = tgz(
        evil('x', { content: Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 251)) }),
        good,
      );
      return whole.subarray(0, whole.length / 2);
    },
    reported: ['truncated'],
    disk: {},
    isComplete: false,
  },
  {
    what: 'more data behind the end',
    make: () => gzipSync(Buffer.concat([tar(good), tarEntry(evil('hidden')), tarEnd])),
    reported: ['trailing-data'],
    disk: kept,
  },
  {
    what: 'no tar at all',
    make: () => gzipSync(Buffer.from('hello '.repeat(200))),
    reported: ['broken-header', 'truncated'],
    disk: {},
    isComplete: false,
  },
  { what: 'nothing', make: () => Buffer.alloc(0), reported: ['broken'], disk: {}, isComplete: false },
  {
    what: 'another compression',
    make: () => Buffer.from('BZh91AY&SY'),
    reported: ['broken'],
    disk: {},
    isComplete: false,
  },
  {
    what: 'other top folders than npm expects',
    make: () => tgz(evil('top'), evil('other/x.js'), good),
    strip: 1,
    reported: ['outside-top-folder'],
    disk: { 'x.js': 'evil', 'good.js': 'good' },
  },
  {
    what: 'two top folders that become one',
    make: () => tgz(evil('first/good.js', { content: 'harmless' }), good),
    strip: 1,
    reported: ['duplicate-entry'],
    disk: { 'good.js': 'good' },
  },
];
