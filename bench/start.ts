import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Policy } from '../src/base/policy-schema.ts';
import { type BackendId, type BoxOptions, backends, createBox } from '../src/engine/box/index.ts';
import { tierPolicy } from '../src/engine/policy/index.ts';
import { median } from './machine.ts';
import type { Result } from './result.ts';

/** How long `node -e 0` takes in a fresh box, from asking for the box to the end of the program, against a bare spawn. */

const bars: Partial<Record<BackendId, number>> = { landlock: 1.6, bwrap: 1.3, runc: 1.8, gvisor: 5 };
const rounds = 20;
const warmUps = 2;
const program = process.execPath;
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' };

function bare(): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['-e', '0'], { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    child.once('error', reject);
    child.once('exit', () => resolve(performance.now() - startedAt));
  });
}

/** HIGH, so that two cores are not cut to half of one, and with this very node allowed: the same program in both. */
function benchPolicy(): Policy {
  const policy = tierPolicy('HIGH');
  return {
    ...policy,
    files: [...policy.files, { path: dirname(dirname(program)), access: 'execute', why: 'the node that is measured' }],
  };
}

interface Timing {
  readonly wholeMs: number;
  readonly spawnMs: number;
}

async function boxed(backend: BackendId, policy: Policy, options: BoxOptions): Promise<Timing> {
  const startedAt = performance.now();
  await using box = await createBox(policy, { ...options, backend });
  const readyAt = performance.now();
  const child = await box.spawn([program, '-e', '0']);
  child.stdout.resume();
  child.stderr.resume();
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`node ended with ${code} in a ${backend} box`);
  const endedAt = performance.now();
  return { wholeMs: endedAt - startedAt, spawnMs: endedAt - readyAt };
}

export async function measureStart(options: BoxOptions): Promise<readonly Result[]> {
  const policy = benchPolicy();
  const results: Result[] = [];
  for (const { id, probe } of backends) {
    if ((await probe(options)).is !== 'yes') continue;
    const bareMs: number[] = [];
    const timings: Timing[] = [];
    // Turn about, so that a busy moment of the machine meets both alike.
    for (let round = -warmUps; round < rounds; round += 1) {
      const one = await bare();
      const other = await boxed(id, policy, options);
      if (round < 0) continue;
      bareMs.push(one);
      timings.push(other);
    }
    const base = median(bareMs);
    const whole = median(timings.map(({ wholeMs }) => wholeMs));
    const ready = median(timings.map(({ spawnMs }) => spawnMs));
    const bar = bars[id];
    const barOf = bar === undefined ? {} : { bar };
    results.push({
      name: `start in a ready ${id} box`,
      value: ready / base,
      unit: 'x',
      ...barOf,
      detail: `${ready.toFixed(1)} ms against ${base.toFixed(1)} ms bare, median of ${rounds}`,
    });
    results.push({
      name: `… making the ${id} box included`,
      value: whole / base,
      unit: 'x',
      ...barOf,
      detail: `${whole.toFixed(1)} ms: folders, limits, confinement and self-check too`,
    });
  }
  return results;
}
