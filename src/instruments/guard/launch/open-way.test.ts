import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { closedFolder, closedProblems, reachableTree, wayOf } from './open-way.ts';
import { samplePlace } from './sample-place.ts';

const place = samplePlace();
afterAll(() => rmSync(place.folder, { recursive: true, force: true }));
place.write('closed/servers/digest/app/deep/server.js', 'one');
const server = join(place.folder, 'closed/servers/digest');
const runtimeFolder = join(place.folder, 'run');
mkdirSync(runtimeFolder);

describe('the way to a server', () => {
  it('is closed by the topmost folder that lets nobody through', () => {
    expect(closedFolder(server)).toBe(place.folder);
    chmodSync(place.folder, 0o711);
    expect(closedFolder(server)).toBeNull();
    chmodSync(join(place.folder, 'closed'), 0o700);
    expect(closedFolder(server)).toBe(join(place.folder, 'closed'));
    expect(closedFolder('/usr/bin')).toBeNull();
  });

  it.each(['gvisor', 'runc', 'docker'] as const)('does not matter to %s', async (backend) => {
    expect(await reachableTree(server, wayOf({ backend, runtimeFolder }))).toBe(join(server, 'app'));
    expect(await closedProblems([{ path: server, access: 'read' }], wayOf({ backend, runtimeFolder }))).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('is gone round by a copy, which is made again when it was changed', async () => {
    const box = wayOf({ backend: 'bwrap', runtimeFolder });
    const tree = await reachableTree(server, box);
    expect(tree).toBe(join(runtimeFolder, 'servers/digest/app'));
    expect(readFileSync(join(tree, 'deep/server.js'), 'utf8')).toBe('one');
    expect(closedFolder(tree)).toBeNull();
    writeFileSync(join(tree, 'deep/server.js'), 'two');
    writeFileSync(join(tree, 'added'), '');
    expect(await reachableTree(server, box)).toBe(tree);
    expect(readFileSync(join(tree, 'deep/server.js'), 'utf8')).toBe('one');
    expect(existsSync(join(tree, 'added'))).toBe(false);
    const [problem] = await closedProblems([{ path: server, access: 'read' }], box);
    expect(problem).toMatch(/may not enter .*closed/);
  });
});
