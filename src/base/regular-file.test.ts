import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type FileStartOptions, readRegularFile, readRegularFileSync } from './regular-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-regular-file-'));
const at = (name: string): string => join(folder, name);
writeFileSync(at('ten'), '0123456789');
writeFileSync(at('empty'), '');
symlinkSync('ten', at('link'));
execFileSync('mkfifo', [at('pipe')]);
afterAll(() => rmSync(folder, { recursive: true }));

const readers = {
  now: async (path: string, options: FileStartOptions) => readRegularFileSync(path, options),
  later: readRegularFile,
};

describe.each(Object.entries(readers))('a file, read %s', (_, read) => {
  const start = async (name: string, mostBytes: number, links: 'followed' | 'refused' = 'refused') => {
    const { bytes, isWhole, sizeBytes } = await read(at(name), { mostBytes, links });
    return [bytes.toString(), isWhole, sizeBytes];
  };

  it.each([
    ['ten', 100, ['0123456789', true, 10]],
    ['ten', 10, ['0123456789', true, 10]],
    ['ten', 9, ['012345678', false, 10]],
    ['ten', 0, ['', false, 10]],
    ['empty', 0, ['', true, 0]],
    ['empty', 5, ['', true, 0]],
  ])('%s, up to %d bytes', async (name, mostBytes, wanted) => {
    expect(await start(name, mostBytes)).toEqual(wanted);
  });

  it('is read to its end where the file system calls it empty', async () => {
    const whole = await read('/proc/self/maps', { mostBytes: 1_000_000, links: 'followed' });
    expect(whole).toMatchObject({ isWhole: true, sizeBytes: 0 });
    expect(whole.bytes.length).toBeGreaterThan(5000);
    const cut = await read('/proc/self/maps', { mostBytes: 5000, links: 'followed' });
    expect(cut.isWhole).toBe(false);
    expect(cut.bytes).toHaveLength(5000);
  });

  it('is followed to where links may be, and only there', async () => {
    expect(await start('link', 10, 'followed')).toEqual(['0123456789', true, 10]);
    await expect(start('link', 10)).rejects.toThrow(/ELOOP/);
  });

  it.each(['pipe', '.', '../../dev/zero'])('%s is none, and is not waited for', async (name) => {
    const path = name.startsWith('..') ? '/dev/zero' : at(name);
    await expect(read(path, { mostBytes: 10, links: 'followed' })).rejects.toThrow('it is not a file');
  });

  it('is not there', async () => {
    await expect(start('nothing', 10)).rejects.toThrow(/ENOENT/);
  });
});
