import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathBelow, readTarFiles } from './tar-files.ts';

/** One header with its checksum, and the body padded to whole blocks. */
function entry(name: string, body: string, { type = '0', mode = '0000644' } = {}): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write(mode, 100);
  header.write(body.length.toString(8).padStart(11, '0'), 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.from(body), Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

const paxPath = (path: string): string => {
  const rest = ` path=${path}\n`;
  const length = rest.length + String(rest.length + 3).length;
  return `${length}${rest}`;
};

const archive = (...entries: Buffer[]): Buffer => Buffer.concat([...entries, Buffer.alloc(1024)]);
const texts = (bytes: Buffer): Record<string, string> =>
  Object.fromEntries(readTarFiles(bytes, 1 << 20).map((file) => [file.path, Buffer.from(file.bytes).toString()]));

describe('the files of an npm archive', () => {
  const plain = archive(entry('package/package.json', '{}'), entry('package/lib/a.js', 'a'));
  it.each([
    { what: 'plain', bytes: plain, files: { 'package.json': '{}', 'lib/a.js': 'a' } },
    { what: 'compressed', bytes: gzipSync(plain), files: { 'package.json': '{}', 'lib/a.js': 'a' } },
    { what: 'another first folder', bytes: archive(entry('x/y', '1')), files: { y: '1' } },
    { what: 'a name twice', bytes: archive(entry('p/a', '1'), entry('p/a', '2')), files: { a: '2' } },
    { what: 'out of its folder', bytes: archive(entry('p/../../a', '1'), entry('p/b', '2')), files: { b: '2' } },
    { what: 'a link', bytes: archive(entry('p/a', '', { type: '2' }), entry('p/b', '2')), files: { b: '2' } },
    { what: 'a folder', bytes: archive(entry('p/a/', '', { type: '5' }), entry('p/b', '2')), files: { b: '2' } },
    {
      what: 'a long name',
      bytes: archive(entry('x', paxPath(`p/${'d/'.repeat(80)}f`), { type: 'x' }), entry('p/short', '3')),
      files: { [`${'d/'.repeat(80)}f`]: '3' },
    },
    {
      what: 'a long name of GNU',
      bytes: archive(entry('x', `p/long\0`, { type: 'L' }), entry('p/short', '3')),
      files: { long: '3' },
    },
    { what: 'nothing', bytes: Buffer.alloc(0), files: {} },
    { what: 'a cut body', bytes: entry('p/a', 'x'.repeat(2000)).subarray(0, 700), files: {} },
  ])('$what', ({ bytes, files }) => {
    expect(texts(bytes)).toEqual(files);
  });

  it('keeps who may be executed', () => {
    const files = readTarFiles(archive(entry('p/a', '1', { mode: '0000755' }), entry('p/b', '2')), 1 << 20);
    expect(files.map(({ isExecutable }) => isExecutable)).toEqual([true, false]);
  });

  it('refuses one that becomes too large, and one that is broken', () => {
    expect(() => readTarFiles(gzipSync(Buffer.alloc(1 << 20)), 1000)).toThrow('broken or too large');
    expect(() => readTarFiles(Buffer.from('1f8b00', 'hex'), 1000)).toThrow('broken or too large');
  });

  it('reads any bytes to an end, and never a path that leads out', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4096 }), fc.string(), (noise, name) => {
        const bytes = archive(entry(name.slice(0, 90), 'x'), Buffer.from(noise));
        for (const { path } of readTarFiles(bytes, 1 << 20)) {
          expect(path.split('/')).not.toContain('..');
          expect(path.startsWith('/')).toBe(false);
        }
      }),
    );
  });

  it.each([
    ['package/a', 'a'],
    ['./package/a', 'a'],
    ['package//a', 'a'],
    ['package', undefined],
    ['/package/a', 'a'],
    ['package/../a', undefined],
    ['package/a\0b', undefined],
  ])('%j is %j', (name, path) => {
    expect(pathBelow(name)).toBe(path);
  });
});
