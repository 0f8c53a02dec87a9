import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTool, toolFolders } from './find-tool.ts';

describe('findTool', () => {
  let root = '';

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'find-tool-'));
    await mkdir(join(root, 'first'));
    await mkdir(join(root, 'second'));
    await mkdir(join(root, 'first', 'folder'), { mode: 0o755 });
    for (const [path, mode] of [
      ['first/plain', 0o644],
      ['second/plain', 0o755],
      ['second/only', 0o755],
    ] as const) {
      await writeFile(join(root, path), '#!/bin/sh\n');
      await chmod(join(root, path), mode);
    }
    await symlink('../second/only', join(root, 'first', 'linked'));
    await symlink('nowhere', join(root, 'first', 'dangling'));
  });

  afterAll(() => rm(root, { recursive: true }));

  const table: readonly [string, string, string | null][] = [
    ['a file that cannot be executed is passed over', 'plain', 'second/plain'],
    ['a later folder', 'only', 'second/only'],
    ['a link to a program', 'linked', 'first/linked'],
    ['a folder is no program', 'folder', null],
    ['a dangling link is no program', 'dangling', null],
    ['a path is no name', '../second/only', null],
    ['nothing', 'absent', null],
  ];
  it.each(table)('%s', async (_, name, expected) => {
    const found = await findTool(name, [join(root, 'first'), join(root, 'second')]);
    expect(found).toBe(expected === null ? null : join(root, expected));
  });

  it('looks in fixed folders, whatever PATH says', () => {
    expect(toolFolders).toContain('/usr/bin');
    expect(toolFolders.every((folder) => folder.startsWith('/'))).toBe(true);
  });
});
