import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runTool } from '../../../src/base/process.ts';
import { backends } from '../../../src/engine/box/index.ts';

/** Boxes of somebody who is not root: no control groups, no mounts of the host, and still the same promises. */

const ordinaryUser = '65534';
const script = fileURLToPath(new URL('./ordinary-user.ts', import.meta.url));

async function asOrdinaryUser(args: readonly string[]) {
  return runTool(
    'setpriv',
    ['--reuid', ordinaryUser, '--regid', ordinaryUser, '--clear-groups', process.execPath, ...args],
    { timeoutMs: 100_000, cwd: '/' },
  );
}

describe.each(['bwrap', 'landlock'] as const)('a %s box of an ordinary user', (backend) => {
  let runtimeFolder = '';
  let results: Record<string, { code: number; stdout: string; hits: string[]; uid: number }> = {};

  beforeAll(async () => {
    if (process.getuid?.() !== 0 || (await asOrdinaryUser(['--check', script])).code !== 0) return;
    if ((await backends.find(({ id }) => id === backend)?.probe({ runtimeFolder: '/tmp' }))?.is !== 'yes') return;
    runtimeFolder = mkdtempSync('/tmp/hotcell-ordinary-');
    chownSync(runtimeFolder, Number(ordinaryUser), Number(ordinaryUser));
    const { stdout, stderr } = await asOrdinaryUser([script, backend, runtimeFolder]);
    try {
      results = JSON.parse(stdout.toString());
    } catch {
      throw new Error(stderr.toString());
    }
  });
  beforeEach((context) => {
    if (runtimeFolder === '')
      context.skip('needs root to become an ordinary user, who can read this repository, and a working backend');
  });
  afterAll(() => {
    if (runtimeFolder !== '') rmSync(runtimeFolder, { recursive: true, force: true });
  });

  it('runs a program', () => {
    expect(results.node).toMatchObject({ code: 0, stdout: 'string\n', hits: [], uid: Number(ordinaryUser) });
  });

  it('shows and gives nothing of the host', () => {
    expect(results.shadow?.stdout.replace(/^[a-z]+\n$/, '')).toBe('');
    expect(existsSync('/tmp/hotcell-outside')).toBe(false);
  });

  it.each([
    { name: 'processes', limit: 'processes' },
    { name: 'disk', limit: 'diskBytes' },
  ])('keeps the limit of $name', ({ name, limit }) => {
    expect(results[name]?.stdout).toBe('');
    expect(results[name]?.hits).toContain(limit);
  });

  it('keeps the limit of memory: refused by the kernel, or seen by the watchdog', () => {
    expect(results.memory?.stdout).toBe('');
    expect(results.memory?.code).not.toBe(0);
  });

  it('leaves nothing behind', () => {
    expect(readdirSync(join(runtimeFolder, 'boxes'))).toEqual([]);
  });
});
