import { type Dirent, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Policy } from '../src/base/policy-schema.ts';
import { type BackendId, type BoxHooks, type BoxOptions, backends, createBox } from '../src/engine/box/index.ts';
import { tierPolicy } from '../src/engine/policy/index.ts';
import { systemCallSensors } from '../src/engine/sensor/index.ts';
import { median } from './machine.ts';
import type { Result } from './result.ts';

/**
 * What a sensor costs a program that reads 3,000 files and starts 20 processes, from the order to start it until it has
 * ended, against the same box without one. The files are different ones that any machine has, and small: with large ones
 * the time goes into copying, which no sensor looks at, and any sensor would seem cheap. They are listed before the clock
 * starts. Plain and watched runs take turns, and the first round does not count.
 */

const bars: Partial<Record<BackendId, number>> = { bwrap: 1.25, runc: 1.25, landlock: 1.25, gvisor: 1.3 };
const rounds: Partial<Record<BackendId, number>> = { gvisor: 5 };
const ordinaryRounds = 21;
const program = process.execPath;
const fileCount = 3000;
const longestFile = 64 * 1024;
const fileRoots = ['/usr/share', '/usr/lib'];

const workload = `
const { readFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
for (const path of readFileSync(process.argv[1], 'utf8').split('\\n')) readFileSync(path);
for (let i = 0; i < 20; i += 1) spawnSync('/usr/bin/true');
`;

function compareNames(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

function* smallFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted(compareNames)) {
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (!isFolder && !entry.isFile()) continue;
    const { size, mode } = statSync(path);
    const needed = isFolder ? 0o005 : 0o004;
    // What only some may read is not for every box.
    if ((mode & needed) !== needed) continue;
    if (isFolder) yield* smallFiles(path);
    else if (size <= longestFile) yield path;
  }
}

function listFiles(): readonly string[] {
  const found: string[] = [];
  for (const root of fileRoots) {
    for (const path of smallFiles(root)) {
      if (found.length === fileCount) return found;
      found.push(path);
    }
  }
  return found;
}

function watchPolicy(): Policy {
  const policy = tierPolicy('HIGH');
  return {
    ...policy,
    network: { mode: 'none', rules: [] },
    files: [...policy.files, { path: dirname(dirname(program)), access: 'execute', why: 'the node that is measured' }],
  };
}

interface Run {
  readonly backend: BackendId;
  readonly policy: Policy;
  readonly options: BoxOptions;
  readonly files: readonly string[];
}

async function timed({ backend, policy, options, files }: Run, hooks?: BoxHooks): Promise<number> {
  await using box = await createBox(policy, { ...options, backend, ...(hooks === undefined ? {} : { hooks }) });
  const list = `${box.folders.work}/files`;
  await box.put(list, Buffer.from(files.join('\n')));
  const startedMs = performance.now();
  const child = await box.spawn([program, '-e', workload, list]);
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  const { code } = await child.exited;
  const tookMs = performance.now() - startedMs;
  if (code !== 0) throw new Error(`the work ended with ${code} in a ${backend} box: ${said.slice(-400)}`);
  return tookMs;
}

export async function measureWatch(options: BoxOptions): Promise<readonly Result[]> {
  const policy = watchPolicy();
  const files = listFiles();
  const results: Result[] = [];
  for (const { id, probe } of backends) {
    const sensor = systemCallSensors.find((each) => each.backends.includes(id));
    if (sensor === undefined || id === 'docker' || (await probe(options)).is !== 'yes') continue;
    const run: Run = { backend: id, policy, options, files };
    const plain: number[] = [];
    const watched: number[] = [];
    let events = 0;
    for (let round = -1; round < (rounds[id] ?? ordinaryRounds); round += 1) {
      const one = await timed(run);
      const folder = mkdtempSync('/tmp/hotcell-bench-sensor-');
      const open = await sensor.open({
        folder,
        onSightings: (sightings) => {
          events += sightings.length;
        },
      });
      const other = await timed(run, open.hooks).finally(() => open.close());
      rmSync(folder, { recursive: true, force: true });
      if (round < 0) {
        events = 0;
        continue;
      }
      plain.push(one);
      watched.push(other);
    }
    const base = median(plain);
    const bar = bars[id];
    results.push({
      name: `${sensor.id} on ${id}`,
      value: median(watched) / base,
      unit: 'x',
      ...(bar === undefined ? {} : { bar }),
      detail: `${median(watched).toFixed(0)} ms against ${base.toFixed(0)} ms, ${Math.round(events / watched.length)} events, median of ${watched.length}; of the best ${(Math.min(...watched) / Math.min(...plain)).toFixed(2)}`,
    });
  }
  return results;
}
