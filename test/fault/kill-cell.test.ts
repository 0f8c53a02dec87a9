import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Arena } from '../contract/box/arena.ts';
import { until } from '../until.ts';

/** Hotcell is killed while it watches: the network that it made, and whoever served it, go with the box. */

const holder = fileURLToPath(new URL('./hold-cell.ts', import.meta.url));

const namespacesOf = (run: string): readonly string[] =>
  existsSync('/run/netns') ? readdirSync('/run/netns').filter((name) => name.includes(run)) : [];

/** Helpers of the run that still live: they stand in its namespaces, whose names they were started with. */
function helpersOf(run: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(join('/proc', name, 'cmdline'), 'latin1').includes(`hotcell-${run}-`);
    } catch {
      return false;
    }
  });
}

describe.each(['gvisor', 'runc', 'bwrap'] as const)('after SIGKILL in the middle of a watched %s box', (backend) => {
  const arena = new Arena();
  const folder = mkdtempSync('/tmp/hotcell-kill-cell-');
  beforeAll(() => arena.open(backend));
  beforeEach((context) => arena.need(backend, context));
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('no namespace, helper, process or folder of the box remains, and the events so far can be read', async () => {
    const run = `kill-${backend}-${process.pid}`;
    const { runtimeFolder } = arena.options;
    const child = spawn(process.execPath, [holder, backend, runtimeFolder, join(folder, 'run'), run], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const id = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
      child.once('exit', () => reject(new Error(`no ${backend} cell was made`)));
    });
    expect(namespacesOf(run)).toHaveLength(2);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    const isGone = (): boolean =>
      arena.leftovers([id]).length === 0 && namespacesOf(run).length === 0 && helpersOf(run).length === 0;
    await until(isGone);
    expect(arena.leftovers([id])).toEqual([]);
    expect(namespacesOf(run)).toEqual([]);
    expect(helpersOf(run)).toEqual([]);
    const lines = readFileSync(join(folder, 'run', 'events.ndjson'), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toContain('exec');
    expect(existsSync(join(folder, 'run', 'completeness.json'))).toBe(false);
  });
});
