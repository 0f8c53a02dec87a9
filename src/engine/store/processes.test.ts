import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { besideModule } from '../../base/beside.ts';
import { runTool } from '../../base/process.ts';
import { Store } from './store.ts';

const writer = fileURLToPath(besideModule(import.meta.url, 'sample-writer'));
const counters = { name: 'counters', schema: z.number().int(), mostDocuments: 10 };

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-store-'));
  file = join(folder, 'state.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function startWriter(times: number, documents = 1): { child: ChildProcess; said: () => readonly string[] } {
  const child = spawn(process.execPath, [writer, file, String(times), String(documents)], { stdio: 'pipe' });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return { child, said: () => said.split('\n').slice(0, -1) };
}

describe('several processes', () => {
  it('open a new store and change one counter at the same time, and lose nothing', async () => {
    const writers = Array.from({ length: 3 }, () => startWriter(150));
    await Promise.all(writers.map(({ child }) => once(child, 'close')));
    const said = writers.flatMap((each) => each.said().map(Number));
    expect(said.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 450 }, (_, at) => at + 1));
    using store = Store.open(file);
    expect(store.collection(counters).get('counter-0')).toMatchObject({ value: 450, revision: 450 });
  });

  it('that are killed in the middle leave what they said, and at most one more', async () => {
    for (const enough of [1, 20, 60]) {
      rmSync(file, { force: true });
      const { child, said } = startWriter(100_000);
      while (said().length < enough && child.exitCode === null) await new Promise((next) => setTimeout(next, 1));
      child.kill('SIGKILL');
      await once(child, 'close');
      using store = Store.open(file);
      const kept = store.collection(counters).get('counter-0')?.value ?? 0;
      const last = Number(said().at(-1));
      expect([last, last + 1]).toContain(kept);
      store.collection(counters).put('counter-0', 0);
      for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    }
  });
});

/** Runs the writer where a small disk of its own is mounted; nobody else sees the mount. */
async function onSmallDisk(options: string, times: number): Promise<{ code: number | null; said: string }> {
  const script = `mount -t tmpfs -o ${options} none "$0" && exec "$@"`;
  const argv = ['-m', 'sh', '-c', script, folder, process.execPath, writer, file, String(times)];
  const { code, stdout, stderr } = await runTool('unshare', argv, { timeoutMs: 30_000 });
  return { code, said: `${stdout}${stderr}` };
}

describe.skipIf(process.getuid?.() !== 0)('a disk', () => {
  it('that is full is told with what to do', async () => {
    const { code, said } = await onSmallDisk('size=48k', 100);
    expect(code).not.toBe(0);
    expect(said).toMatch(/HostError: cannot (open|write to) the store .*(disk is full|disk failed)/);
    expect(said).toContain('make room on the disk');
  });

  it('that cannot be written is told with what to do', async () => {
    const { code, said } = await onSmallDisk('ro', 1);
    expect(code).not.toBe(0);
    expect(said).toMatch(/HostError: cannot make the store .*EROFS/);
    expect(said).toContain('HOTCELL_HOME');
    expect(existsSync(file)).toBe(false);
  });

  it('where the folder of the store is a file is told as well', () => {
    writeFileSync(join(folder, 'plain'), '');
    expect(() => Store.open(join(folder, 'plain', 'state.sqlite'))).toThrow(/cannot make the store .*(ENOTDIR|EEXIST)/);
  });
});
