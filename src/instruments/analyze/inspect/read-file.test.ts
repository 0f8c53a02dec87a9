import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runToolOrFail } from '../../../base/process.ts';
import { readBytes, readJson, readText } from './read-file.ts';
import { makeTargetFolder } from './target-folder.ts';

describe('reading a file of a target', () => {
  it('gives what is there, whole or marked as cut', () => {
    using folder = makeTargetFolder({ 'a/b.txt': 'hello', 'j.json': '{"a":1}', 'broken.json': '{' });
    expect(readText(folder.root, 'a/b.txt')).toEqual({ text: 'hello' });
    expect(readBytes(folder.root, 'a/b.txt', 2)).toMatchObject({
      sizeBytes: 5,
      isWhole: false,
      bytes: Buffer.from('he'),
    });
    expect(readText(folder.root, 'a/b.txt', 2)).toEqual({ problem: 'has 5 bytes, more than 2' });
    expect([readJson(folder, 'j.json'), readJson(folder, 'broken.json'), readJson(folder, 'none.json')]).toEqual([
      { a: 1 },
      undefined,
      undefined,
    ]);
  });

  it('follows no link, leaves the folder by no path, and waits for nothing', async () => {
    using folder = makeTargetFolder({ 'a.txt': 'x' });
    symlinkSync('/etc/hostname', join(folder.root, 'link'));
    mkdirSync(join(folder.root, 'folder'));
    await runToolOrFail('mkfifo', [join(folder.root, 'pipe')]);
    const problems = ['link', '../a.txt', '/etc/hostname', 'a/../../x', 'folder', 'pipe', 'none'].map((path) => {
      const read = readBytes(folder.root, path);
      return 'problem' in read ? read.problem : 'read';
    });
    expect(problems).toEqual([
      'is a symbolic link',
      'leads out of the target',
      'leads out of the target',
      'leads out of the target',
      'is not a regular file',
      'is not a regular file',
      'cannot be read (ENOENT)',
    ]);
  });
});
