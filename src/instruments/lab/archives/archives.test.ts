import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeRar4, makeRar5 } from '../../../../test/samples/lab/archives/make-rar.ts';
import { makeTar } from '../../../../test/samples/lab/archives/make-tar.ts';
import { makeBomb, makeOverlappingZip, makeZip } from '../../../../test/samples/lab/archives/make-zip.ts';
import { createHere } from './create.ts';
import { createArchive, extractArchive, listArchive } from './index.ts';
import { extractHere } from './open.ts';

const marker = new TextEncoder().encode('a harmless marker');
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const tick = (): void => undefined;
const hostileNames = [
  '../../up.txt',
  '/abs.txt',
  'C:\\win\\x.txt',
  'a\nFolder = +',
  'foo..txt',
  'x',
  'x',
  'X',
  '..',
  'x/y',
];

describe('opening archives', () => {
  it('gives the bytes, hashes and times of every entry', async () => {
    const bytes = makeZip([{ name: 'd/a.txt', bytes: marker, isDeflated: true }]);
    const { entries, format, passwordUsed } = await extractArchive({ bytes, name: 'x.zip' });
    expect({ format, passwordUsed }).toEqual({ format: 'zip', passwordUsed: null });
    expect(entries).toEqual([
      {
        name: 'd/a.txt',
        path: 'd/a.txt',
        bytes: marker,
        sizeBytes: marker.length,
        sha256: createHash('sha256').update(marker).digest('hex'),
        modifiedAt: new Date('2024-01-01T00:00:00').toISOString(),
        isEncrypted: false,
        inside: [],
      },
    ]);
  });

  it.each([
    ['rar', makeRar4([{ name: 'd/a.txt', bytes: marker }])],
    ['rar5', makeRar5([{ name: 'd/a.txt', bytes: marker }])],
    ['tar', makeTar([{ name: 'd/a.txt', bytes: marker }])],
    ['tar.gzip', gzipSync(makeTar([{ name: 'd/a.txt', bytes: marker }]))],
    ['tar.gzip.gzip', gzipSync(gzipSync(makeTar([{ name: 'd/a.txt', bytes: marker }])))],
  ])('opens %s whatever it is called', async (format, bytes) => {
    const opened = await extractHere({ bytes: Uint8Array.from(bytes), name: 'invoice.pdf', tick });
    expect(opened.format).toBe(format);
    expect(opened.entries.map(({ path, bytes: own }) => [path, text(own)])).toEqual([['d/a.txt', text(marker)]]);
  });

  it('names a lone stream after its archive', async () => {
    const { entries } = await extractHere({ bytes: Uint8Array.from(gzipSync(marker)), name: 'note.txt.gz', tick });
    expect(entries.map(({ name }) => name)).toEqual(['note.txt']);
  });

  it('keeps hostile names as names and gives paths that are none', async () => {
    const entries = hostileNames.map((name, at) => ({ name, bytes: new TextEncoder().encode(String(at)) }));
    const comment = 'one\n}\n\n----------\nPath = fake.exe\nSize = 3\n\nend';
    const opened = await extractHere({ bytes: makeZip(entries, comment), tick });
    expect(opened.entries.map(({ bytes }) => text(bytes))).toEqual(hostileNames.map((_, at) => String(at)));
    expect(opened.entries.map(({ name }) => name)).toEqual(hostileNames.map((name) => name.replace('\n', '_')));
    expect(opened.entries.map(({ path }) => path)).toEqual(
      ['up.txt', 'abs.txt', 'win/x.txt', 'a_Folder = +', 'foo..txt', 'x', 'x~2', 'X~3', 'unnamed', 'x~4/y'].map(
        (path) => path.replace('x~2~2', 'x~4'),
      ),
    );
  });

  it('makes no links and no devices, and says so', async () => {
    const bytes = makeTar([
      { name: 's', type: '2', linkName: '/etc/passwd' },
      { name: 's/x', bytes: marker },
      { name: 'h', type: '1', linkName: 's/x' },
      { name: 'null', type: '3' },
    ]);
    const { entries, refused } = await extractHere({ bytes, tick });
    expect(entries.map(({ path }) => path)).toEqual(['s/x']);
    expect(refused).toEqual([
      { name: 's', because: 'a link: not made' },
      { name: 'h', because: 'a link: not made' },
      { name: 'null', because: 'a device: not made' },
    ]);
    const zip = await extractHere({ bytes: makeZip([{ name: 'l', bytes: marker, mode: 0o120777 }]), tick });
    expect([zip.entries, zip.refused]).toEqual([[], [{ name: 'l', because: 'a link: not made' }]]);
  });

  it('is not told by a mark that content is none', async () => {
    const script = new TextEncoder().encode('line one\nline two\n');
    const bytes = makeZip([
      { name: 'a.vbs', bytes: script, mode: 0o120777 },
      { name: 'b.bin', bytes: new Uint8Array(9_000), mode: 0o120777 },
      { name: 'c.js', bytes: script, mode: 0o010644 },
      { name: 'l', bytes: new TextEncoder().encode('/etc/passwd'), mode: 0o120777 },
      { name: 'l', bytes: marker },
    ]);
    const { entries, refused } = await extractHere({ bytes, tick });
    expect(entries.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ['a.vbs', script.length],
      ['b.bin', 9_000],
      ['c.js', script.length],
      ['l', marker.length],
    ]);
    expect(refused).toEqual([{ name: 'l', because: 'a link: not made' }]);
  });

  it.each([
    ['ratio', makeBomb(20_000_000), {}, /bomb/],
    ['total', makeBomb(3_000_000), { totalBytes: 1_000_000 }, /total/],
    ['one entry', makeBomb(3_000_000), { entryBytes: 1_000_000 }, /one entry/],
    ['overlapping entries', makeOverlappingZip(200, 1_000_000), {}, /bomb/],
    [
      'entries',
      makeZip(Array.from({ length: 30 }, (_, at) => ({ name: `${at}`, bytes: marker }))),
      { entries: 20 },
      /entries/,
    ],
    [
      'a stream that says it is short',
      shortened(gzipSync(new Uint8Array(3_000_000))),
      { totalBytes: 1_000_000 },
      /total/,
    ],
    ['a large dictionary', makeLzma(0x4000_0000), { memoryBytes: 64 * 1024 * 1024 }, /memory/],
  ])('stops at too much: %s', async (_, bytes, limits, message) => {
    await expect(extractHere({ bytes, limits, tick })).rejects.toThrow(message);
  });

  it('says what is damaged instead of hiding it', async () => {
    const bytes = makeZip([
      { name: 'bad', bytes: marker, claimedCrc: 1 },
      { name: 'good', bytes: marker },
    ]);
    const { entries } = await extractHere({ bytes, tick });
    expect(entries.map(({ name, pathNote }) => [name, pathNote])).toEqual([
      ['bad', 'damaged: CRC Failed'],
      ['good', undefined],
    ]);
  });

  it('opens archives inside, as deep as asked', async () => {
    const inner = makeZip([{ name: 'deep.txt', bytes: marker }]);
    const middle = makeTar([{ name: 'inner.zip', bytes: inner }]);
    const bytes = makeZip([{ name: 'middle.tgz', bytes: Uint8Array.from(gzipSync(middle)) }]);
    const paths = async (depth: number): Promise<readonly string[]> =>
      (await extractHere({ bytes, limits: { depth }, tick })).entries.map(({ path }) => path);
    const middlePath = 'middle.tgz.unpacked/inner.zip';
    expect(await paths(0)).toEqual(['middle.tgz']);
    expect(await paths(1)).toEqual(['middle.tgz', middlePath]);
    expect(await paths(2)).toEqual(['middle.tgz', middlePath, `${middlePath}.unpacked/deep.txt`]);
  });

  it('refuses what is none', async () => {
    await expect(extractHere({ bytes: marker, name: 'x.zip', tick })).rejects.toThrow(/no archive/);
    await expect(extractHere({ bytes: marker, name: 'x.7z.002', tick })).rejects.toMatchObject({ hint: /x\.7z\.001/ });
    await expect(extractArchive({ bytes: new Uint8Array(), passwords: ['\0'] })).rejects.toThrow(/NUL/);
  });

  it('can be stopped', async () => {
    const bytes = makeZip([{ name: 'a', bytes: marker }]);
    const stopped = extractArchive({ bytes, signal: AbortSignal.timeout(1) });
    await expect(stopped).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(extractArchive({ bytes, limits: { milliseconds: 1 } })).rejects.toThrow(/longer/);
  });
});

describe('encrypted archives', () => {
  const files = [
    { name: 'a.txt', bytes: marker },
    { name: 'b.bin', bytes: new Uint8Array(5_000) },
  ];
  const passwords = ['infected', '-leading dash', ' spaces ', '"quo\'te$`', 'grün', '--', '@list', 'sample'];

  it.each(passwords)('opens with %j among wrong ones', async (password) => {
    for (const format of /^[ -~]+$/.test(password) ? (['zip'] as const) : (['7z'] as const)) {
      const { bytes, cipher } = await createHere({ files, password, format });
      const opened = await extractHere({ bytes, name: 'sample.bin', passwords: ['wrong', password], tick });
      expect([cipher, opened.passwordUsed, opened.format]).toEqual(['aes-256', password, format]);
      expect(opened.entries.map(({ path, sizeBytes, isEncrypted }) => [path, sizeBytes, isEncrypted])).toEqual([
        ['a.txt', marker.length, true],
        ['b.bin', 5_000, true],
      ]);
    }
  });

  it('makes what cannot be made known', async () => {
    await expect(createArchive({ files: [], format: 'zip' })).rejects.toThrow(/at least one/);
    await expect(createHere({ files, format: 'zip', password: 'grün' })).rejects.toThrow(/ASCII/);
    await expect(createHere({ files, format: '7z', password: 'x', cipher: 'zipcrypto' })).rejects.toThrow(/AES/);
  });

  it('tries the usual ones and the name, and leaves nothing of what failed', async () => {
    const named = await createArchive({ files, password: 'sample', format: 'zip', cipher: 'zipcrypto' });
    expect((await extractHere({ bytes: named.bytes, name: 'sample.zip', tick })).passwordUsed).toBe('sample');
    const other = await createArchive({ files, password: 'unknown', format: 'zip' });
    await expect(extractHere({ bytes: other.bytes, tick })).rejects.toThrow(/none of the passwords/);
    const hidden = await createArchive({ files, password: 'unknown', format: '7z' });
    await expect(listArchive(hidden.bytes)).rejects.toThrow(/names in this archive are encrypted/);
    const listing = await listArchive(hidden.bytes, { passwords: ['unknown'] });
    expect([listing.isHeaderEncrypted, listing.passwordUsed, listing.entryCount]).toEqual([true, 'unknown', 2]);
  });
});

/** The length at the end of a gzip file is only a claim. */
function shortened(gzip: Buffer): Uint8Array {
  const bytes = Uint8Array.from(gzip);
  bytes.set([10, 0, 0, 0], bytes.length - 4);
  return bytes;
}

/** An xz-like stream in the old form that claims a dictionary. */
function makeLzma(dictionary: number): Uint8Array {
  const bytes = new Uint8Array(64);
  bytes[0] = 0x5d;
  new DataView(bytes.buffer).setUint32(1, dictionary, true);
  bytes.fill(0xff, 5, 13);
  return bytes;
}
