import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backendIds, cleanLeftovers } from '../../src/engine/box/index.ts';
import { Arena } from '../contract/box/arena.ts';
import { until } from '../until.ts';

/** Hotcell itself is killed in the middle of a run: whatever it had made on the host goes too. */

interface Holder {
  readonly child: ChildProcess;
  readonly id: string;
}

async function holdBox(backend: string, arena: Arena): Promise<Holder> {
  const script = fileURLToPath(new URL('./hold-box.ts', import.meta.url));
  const { runtimeFolder, dockerSocket } = arena.options;
  const child = spawn(process.execPath, [script, backend, runtimeFolder, dockerSocket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const id = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', () => reject(new Error(`no ${backend} box was made`)));
  });
  return { child, id };
}

async function killAndWait(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** The process that would tidy up after this box. */
function reaperOf(id: string): number {
  const found = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const line = readFileSync(join('/proc', name, 'cmdline'), 'latin1');
      return line.startsWith('hotcell-reaper') && line.includes(id);
    } catch {
      return false;
    }
  });
  return Number(found);
}

describe.each(backendIds)('after SIGKILL in the middle of a %s box', (backend) => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  beforeEach((context) => arena.need(backend, context));
  afterAll(() => arena.close());

  it('no process, mount, control group or folder remains', async () => {
    const { child, id } = await holdBox(backend, arena);
    expect(arena.leftovers([id])).not.toEqual([]);
    await killAndWait(child);
    await until(() => arena.leftovers([id]).length === 0);
    expect(arena.leftovers([id])).toEqual([]);
  });

  it('the clean-up finds what is left when the reaper was killed as well, and leaves living boxes alone', async () => {
    const dead = await holdBox(backend, arena);
    const living = await holdBox(backend, arena);
    process.kill(reaperOf(dead.id), 'SIGKILL');
    await killAndWait(dead.child);
    const { removed, kept } = await cleanLeftovers(arena.runtimeFolder);
    expect(removed.map((path) => path.split('/').at(-1))).toEqual([dead.id]);
    expect(kept).toEqual([expect.stringContaining(`${living.id}: in use by process ${living.child.pid}`)]);
    expect(arena.leftovers([dead.id])).toEqual([]);
    expect(arena.leftovers([living.id])).not.toEqual([]);
    await killAndWait(living.child);
    await until(() => arena.leftovers([living.id]).length === 0);
    expect(arena.leftovers([living.id])).toEqual([]);
  });
});
