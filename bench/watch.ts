import { mkdtempSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Policy } from '../src/base/policy-schema.ts';
import { type BackendId, type BoxHooks, type BoxOptions, backends, createBox } from '../src/engine/box/index.ts';
import { tierPolicy } from '../src/engine/policy/index.ts';
import { systemCallSensors } from '../src/engine/sensor/index.ts';
import { median } from './machine.ts';
import type { Result } from './result.ts';

/** What a sensor costs a program that reads 3,000 files and starts 20 processes, against the same box without one. */

const bars: Partial<Record<BackendId, number>> = { bwrap: 1.25, runc: 1.25, landlock: 1.25, gvisor: 1.3 };
const rounds: Partial<Record<BackendId, number>> = { gvisor: 5 };
const ordinaryRounds = 11;
const program = process.execPath;

const workload = `
const { readFileSync, writeFileSync, mkdirSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
mkdirSync(process.env.TMPDIR + '/w');
for (let i = 0; i < 300; i += 1) writeFileSync(process.env.TMPDIR + '/w/' + i, 'x'.repeat(500));
const startedAt = process.hrtime.bigint();
for (let i = 0; i < 3000; i += 1) readFileSync(process.env.TMPDIR + '/w/' + (i % 300));
for (let i = 0; i < 20; i += 1) spawnSync('/usr/bin/true');
console.log(String(process.hrtime.bigint() - startedAt));
`;

function watchPolicy(): Policy {
  const policy = tierPolicy('HIGH');
  return {
    ...policy,
    network: { mode: 'none', rules: [] },
    files: [...policy.files, { path: dirname(dirname(program)), access: 'execute', why: 'the node that is measured' }],
  };
}

/** Milliseconds of the work itself, as the program measures them. */
async function timed(backend: BackendId, policy: Policy, options: BoxOptions, hooks?: BoxHooks): Promise<number> {
  await using box = await createBox(policy, { ...options, backend, ...(hooks === undefined ? {} : { hooks }) });
  const child = await box.spawn([program, '-e', workload]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  child.stderr.resume();
  const [{ code }] = await Promise.all([child.exited, new Promise((resolve) => child.stdout.once('end', resolve))]);
  if (code !== 0) throw new Error(`the work ended with ${code} in a ${backend} box`);
  return Number(said) / 1e6;
}

export async function measureWatch(options: BoxOptions): Promise<readonly Result[]> {
  const policy = watchPolicy();
  const results: Result[] = [];
  for (const { id, probe } of backends) {
    const sensor = systemCallSensors.find((each) => each.backends.includes(id));
    if (sensor === undefined || id === 'docker' || (await probe(options)).is !== 'yes') continue;
    const plain: number[] = [];
    const watched: number[] = [];
    let events = 0;
    for (let round = -1; round < (rounds[id] ?? ordinaryRounds); round += 1) {
      const one = await timed(id, policy, options);
      const folder = mkdtempSync('/tmp/hotcell-bench-sensor-');
      const open = await sensor.open({
        folder,
        onSightings: (sightings) => {
          events += sightings.length;
        },
      });
      const other = await timed(id, policy, options, open.hooks).finally(() => open.close());
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
      detail: `${median(watched).toFixed(0)} ms against ${base.toFixed(0)} ms, ${Math.round(events / watched.length)} events, median of ${watched.length}`,
    });
  }
  return results;
}
