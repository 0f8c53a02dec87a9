import { existsSync, lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { explainWrite, innerParts, TreeWriter } from './write-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-tree-'));
const root = join(folder, 'app');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bytes = Buffer.from('x');

describe('writing a tree', () => {
  it('makes plain files and folders with plain modes', () => {
    const writer = new TreeWriter(root);
    writer.file('a/b/c.js', bytes, 0o4777);
    writer.file('a/d.txt', bytes, 0o600);
    expect(lstatSync(join(root, 'a/b/c.js')).mode & 0o7777).toBe(0o755);
    expect(lstatSync(join(root, 'a/d.txt')).mode & 0o7777).toBe(0o644);
    expect(lstatSync(join(root, 'a/b')).mode & 0o7777).toBe(0o755);
    expect([...writer.files.keys()]).toEqual(['a/b/c.js', 'a/d.txt']);
  });

  it.each(['../out', 'a/../../out', '/etc/out', 'a//b', './a', 'a/.', '', 'a\0b', 'a/'])('refuses %j', (path) => {
    const writer = new TreeWriter(root);
    writer.file(path, bytes, 0o644);
    expect(writer.problems).toHaveLength(1);
    expect(writer.files.size).toBe(0);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('lets a file become a folder, and a folder a file', () => {
    const writer = new TreeWriter(root);
    writer.file('swap', bytes, 0o644);
    writer.file('swap/inner', bytes, 0o644);
    expect(lstatSync(join(root, 'swap')).isDirectory()).toBe(true);
    writer.file('swap', Buffer.from('again'), 0o644);
    expect(readFileSync(join(root, 'swap'), 'utf8')).toBe('again');
    expect([...writer.files.keys()]).toEqual(['swap']);
  });

  it.each<[string, string, string | null]>([
    ['l/one', '../a/d.txt', '../a/d.txt'],
    ['l/two', '/box/app/a/d.txt', '../a/d.txt'],
    ['l/three', 'nowhere/../../a', '../a'],
    ['l/four', '../../out', null],
    ['l/five', '/etc/passwd', null],
    ['l/six', '/box/app/../out', null],
    ['l/seven', '..', null],
    ['l/eight', '../l', '.'],
  ])('%s to %s', (path, to, expected) => {
    const writer = new TreeWriter(root);
    const isMade = writer.link(path, to, '/box/app');
    if (expected === null) expect(isMade).toBe(false);
    else expect(readlinkSync(join(root, path))).toBe(expected);
  });

  it('links never lead out, whatever is asked for', () => {
    const part = fc.constantFrom('..', '.', 'a', 'b', '', '/box/app', '/', 'l');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const writer = new TreeWriter(root);
        if (!writer.link('l/x/link', parts.join('/'), '/box/app')) return;
        const target = posix.join(root, 'l/x', readlinkSync(join(root, 'l/x/link')));
        expect(target.startsWith(`${root}/`)).toBe(true);
        expect(/[^./][^/]*\/\.\./.test(readlinkSync(join(root, 'l/x/link')))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('any path is inner or none', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (path) => {
        const parts = innerParts(path);
        if (parts !== null) expect(posix.join('/root', path).startsWith('/root/')).toBe(true);
      }),
    );
  });
});

describe('a write that fails', () => {
  it.each([
    ['ENOSPC', /no room is left/],
    ['EDQUOT', /no room is left/],
    ['EACCES', /cannot be written: EACCES/],
    ['EIO', /cannot be written: EIO/],
  ])('%s is told', (code, message) => {
    expect(explainWrite(Object.assign(new Error('x'), { code }), 'it').message).toMatch(message);
  });
});
