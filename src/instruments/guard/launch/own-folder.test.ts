import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findLockFile, findOwnFolder, isGivable } from './own-folder.ts';
import { samplePlace } from './sample-place.ts';

const place = samplePlace();
const home = place.options.fetch.home;
afterAll(() => rmSync(place.folder, { recursive: true, force: true }));

describe('the folder of a server', () => {
  place.write('user/work/project/package.json', '{}');
  place.write('user/work/project/package-lock.json', '{}');
  place.write('user/work/project/dist/deep/server.js', '');
  place.write('user/work/mono/node_modules/dep/index.js', '');
  place.write('user/work/mono/packages/one/package.json', '{}');
  place.write('user/work/mono/packages/one/index.js', '');
  place.write('user/work/python/pyproject.toml', '');
  place.write('user/work/python/src/app/__main__.py', '');
  place.write('user/work/loose/server.js', '');
  place.write('user/server.js', '');
  place.write('user/package.json', '{}');
  place.write('user/.local/bin/tool', '');
  place.write('user/.local/share/tool/run.js', '');

  it.each<[string, string | null, boolean]>([
    ['work/project/dist/deep/server.js', 'work/project', true],
    ['work/mono/packages/one/index.js', 'work/mono/packages/one', true],
    ['work/python/src/app/__main__.py', 'work/python', true],
    ['work/loose/server.js', 'work/loose', false],
    // The home folder has a manifest, and is not given all the same.
    ['server.js', null, false],
    ['.local/bin/tool', null, false],
    ['.local/share/tool/run.js', '.local/share/tool', false],
  ])('of %s is %s', (path, folder, isPackage) => {
    const own = findOwnFolder(join(home, path), home);
    expect(own.folder).toBe(folder === null ? null : join(home, folder));
    expect(own.isPackage).toBe(isPackage);
  });

  it('comes with the modules above it', () => {
    const own = findOwnFolder(join(home, 'work/mono/packages/one/index.js'), home);
    expect(own.besides).toEqual([join(home, 'work/mono/node_modules')]);
  });

  it('can be the path itself', () => {
    mkdirSync(join(home, 'work/empty'), { recursive: true });
    expect(findOwnFolder(join(home, 'work/empty'), home, true).folder).toBe(join(home, 'work/empty'));
    expect(findOwnFolder(home, home, true).folder).toBeNull();
  });

  it.each([
    '/',
    '/home',
    '/usr',
    '/tmp',
    '/etc',
    '/root',
    home,
    place.folder,
    join(home, '.config'),
    join(home, '.ssh'),
  ])('is never %s', (folder) => {
    expect(isGivable(folder, home)).toBe(false);
  });

  it('has a lock file', () => {
    expect(findLockFile(join(home, 'work/project'))).toBe(join(home, 'work/project/package-lock.json'));
    expect(findLockFile(join(home, 'work/loose'))).toBeNull();
  });
});
