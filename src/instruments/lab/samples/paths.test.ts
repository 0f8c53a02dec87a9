import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { openLocal } from '../../../engine/connector/index.ts';
import { candidatePaths, checkedName, findSample, isBelow, safeName } from './paths.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hotcell-paths-')));
const samples = join(root, 'samples');
const output = join(root, 'output');
mkdirSync(join(samples, 'deep'), { recursive: true });
mkdirSync(output);
writeFileSync(join(samples, 'a.bin'), 'a');
writeFileSync(join(samples, 'x: PE32 foo.bin'), 'x');
writeFileSync(join(samples, 'deep', 'b'), 'bb');
writeFileSync(join(output, 'c'), 'ccc');
writeFileSync(join(root, 'outside'), 'secret');
symlinkSync(join(root, 'outside'), join(samples, 'link'));
symlinkSync(join(samples, 'a.bin'), join(samples, 'inner-link'));
symlinkSync('/nonexistent', join(samples, 'dangling'));
for (const folder of [join(root, 'person/.ssh'), join(samples, 'image/.ssh'), join(root, 'home/ledger')]) {
  mkdirSync(folder, { recursive: true });
}
writeFileSync(join(root, 'person/.ssh/id'), 'key');
writeFileSync(join(samples, 'image/.ssh/id'), 'key');
writeFileSync(join(root, 'home/ledger/keys'), 'key');
symlinkSync(join(root, 'person/.ssh/id'), join(samples, 'key-link'));
const connector = openLocal({});
afterAll(async () => {
  await connector.close();
  rmSync(root, { recursive: true });
});

const folders = { samples, output, isConfined: false, guardedHome: null };
const guarded = { ...folders, guardedHome: join(root, 'home') };

describe('a name of a sample', () => {
  it.each([
    ['a.bin', join(samples, 'a.bin')],
    ['deep/b', join(samples, 'deep/b')],
    ['./deep/../a.bin', join(samples, 'a.bin')],
    ['x: PE32 foo.bin', join(samples, 'x: PE32 foo.bin')],
    ['c', join(output, 'c')],
    ['%OUTPUT%/c', join(output, 'c')],
    [join(root, 'outside'), join(root, 'outside')],
    ['link', join(root, 'outside')],
    ['inner-link', join(samples, 'a.bin')],
  ])('%s is found', async (file, path) => {
    expect((await findSample(file, folders, connector)).path).toBe(path);
  });

  it.each([
    '',
    '..',
    '../outside',
    'deep/../../outside',
    '%OUTPUT%/../outside',
    'a\0b',
    '.',
    'no-such',
    'dangling',
    'deep',
  ])('%j is refused', async (file) => {
    await expect(findSample(file, folders, connector)).rejects.toThrow(UsageError);
  });

  it.each([join(root, 'outside'), 'link', '/etc/passwd'])(
    '%s is outside, and refused where that counts',
    async (file) => {
      await expect(findSample(file, { ...folders, isConfined: true }, connector)).rejects.toThrow(/outside/);
    },
  );

  it.each([
    '/etc/shadow',
    '/proc/self/environ',
    '/dev/null',
    join(root, 'person/.ssh/id'),
    'key-link',
    join(root, 'home/ledger/keys'),
  ])('%s holds secrets, and is no sample for an agent', async (file) => {
    await expect(findSample(file, guarded, connector)).rejects.toThrow(/secrets|no file/);
  });

  it('what somebody put among the samples is one, whatever it is called', async () => {
    expect((await findSample('image/.ssh/id', guarded, connector)).path).toBe(join(samples, 'image/.ssh/id'));
    expect((await findSample(join(root, 'person/.ssh/id'), folders, connector)).sizeBytes).toBe(3);
  });

  it('inside is fine where it counts', async () => {
    const found = await findSample('inner-link', { ...folders, isConfined: true }, connector);
    expect(found.path).toBe(join(samples, 'a.bin'));
  });

  it('never leads out of the folders, whatever a relative name says', () => {
    const pieces = fc.constantFrom('..', '.', 'a', '/', '//', '%OUTPUT%/', '~', '\\', ' ', '...');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const file = parts.join('/');
        if (file.startsWith('/') || file === '') return;
        try {
          for (const path of candidatePaths(file, folders)) {
            expect([samples, output].some((folder) => isBelow(folder, path))).toBe(true);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});

describe('a name for a new sample', () => {
  it.each(['a/b', '..', '.', '', '-rf', 'a\nb', 'a\\b', 'ä'.repeat(200)])('%j is refused', (name) => {
    expect(() => checkedName(name)).toThrow(UsageError);
  });

  it('is made safe from any text, and stays so', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const name = safeName(text);
        expect(checkedName(name)).toBe(name);
        expect(safeName(name)).toBe(name);
      }),
    );
  });
});
