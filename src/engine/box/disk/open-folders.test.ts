import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nameIn } from './beneath.ts';
import { OpenFolders, type Place, pathOf } from './open-folders.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync('/tmp/hotcell-open-folders-');
});
afterEach(() => rmSync(root, { recursive: true }));

const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const at = (...parts: readonly string[]): Place => ({ root, inside: '/home/user', parts });

/** Other tests of the same process have files of their own open. */
function openDescriptors(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root);
    } catch {
      return false;
    }
  }).length;
}

describe('open folders', () => {
  it('makes what is missing, with its mode whatever the umask is, and tells what it made', () => {
    mkdirSync(join(root, 'there'), { mode: 0o700 });
    const made: string[] = [];
    const folders = new OpenFolders({ owner, onMade: (place) => made.push(pathOf(place)) });
    folders.open(at('there', 'a', 'b'));
    folders.open(at('there', 'a', 'c'));
    folders.close();
    expect(made).toEqual(['/home/user/there/a', '/home/user/there/a/b', '/home/user/there/a/c']);
    expect(statSync(join(root, 'there/a/b')).mode & 0o7777).toBe(0o755);
    expect(statSync(join(root, 'there')).mode & 0o7777).toBe(0o700);
  });

  it('makes nothing where nothing is to be made', () => {
    const folders = new OpenFolders(null);
    expect(() => folders.open(at('missing'))).toThrow(/ENOENT/);
    folders.close();
    expect(readdirSync(root)).toEqual([]);
  });

  it('hands out the same folder again without opening it again', () => {
    const folders = new OpenFolders({ owner, onMade: () => undefined });
    const first = folders.open(at('a', 'b'));
    const before = openDescriptors();
    expect(folders.open(at('a', 'b'))).toBe(first);
    expect(openDescriptors()).toBe(before);
    folders.close();
  });

  it('keeps no more open than it may, and none after its end', () => {
    const before = openDescriptors();
    const folders = new OpenFolders({ owner, onMade: () => undefined }, 8);
    for (let number = 0; number < 100; number += 1) {
      folders.open(at('deep', 'er', `${number}`));
      expect(folders.size).toBeLessThanOrEqual(8);
    }
    expect(readdirSync(join(root, 'deep/er'))).toHaveLength(100);
    expect(openDescriptors()).toBeLessThanOrEqual(before + 8);
    folders.close();
    expect(openDescriptors()).toBe(before);
  });

  it('forgets the one that was used longest ago', () => {
    const folders = new OpenFolders({ owner, onMade: () => undefined }, 3);
    const kept = folders.open(at('kept'));
    folders.open(at('one'));
    expect(folders.open(at('kept'))).toBe(kept);
    folders.open(at('two'));
    expect(folders.open(at('kept'))).toBe(kept);
    folders.close();
  });

  it.each([
    ['a link to a folder', () => symlinkSync('/tmp', join(root, 'x'))],
    ['a link to nothing', () => symlinkSync('/nonexistent', join(root, 'x'))],
    ['a link to itself', () => symlinkSync('x', join(root, 'x'))],
    ['a file', () => writeFileSync(join(root, 'x'), '')],
  ])('refuses %s in place of a folder, at the end and on the way', (_, plant) => {
    plant();
    const before = openDescriptors();
    const folders = new OpenFolders({ owner, onMade: () => undefined });
    expect(() => folders.open(at('x'))).toThrow(/link or no folder/);
    expect(() => folders.open(at('x', 'y'))).toThrow(/link or no folder/);
    folders.close();
    expect(openDescriptors()).toBe(before);
  });

  it('stays in the folder that it opened when a link takes its place', () => {
    const folders = new OpenFolders({ owner, onMade: () => undefined });
    folders.open(at('a'));
    renameSync(join(root, 'a'), join(root, 'moved'));
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(root, 'a'));
    writeFileSync(nameIn(folders.open(at('a')), 'file'), 'x');
    folders.open(at('a', 'below'));
    folders.close();
    expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
    expect(readdirSync(join(root, 'moved')).toSorted()).toEqual(['below', 'file']);
  });
});
