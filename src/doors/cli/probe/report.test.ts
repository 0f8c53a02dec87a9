import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleFinding, sampleScan } from '../../../instruments/probe/report/sample-scan.ts';
import { keepScan, makeScanFolder } from '../../../instruments/probe/results/keep.ts';
import type { SequencePlan } from '../../../instruments/probe/sequence/plan.ts';
import type { Door } from '../definition.ts';
import { describeTerminal } from '../terminal/index.ts';
import { runProbeReport } from './report.ts';
import { renderSequencePlan } from './run.ts';

const terminal = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });
const wishes = { list: true, all: false, output: [], details: false };

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hotcell-report-'));
});
afterEach(() => rm(home, { recursive: true }));

async function listed(): Promise<string> {
  const stdout = new PassThrough();
  // What a list needs of a door.
  const door = { stdout, terminal, settings: { values: { home } } } as unknown as Door;
  expect(await runProbeReport(wishes, [], door)).toBe(0);
  stdout.end();
  return text(stdout);
}

it('lists what is kept, and says that there is more', async () => {
  expect(await listed()).toBe('no scan is kept\n');
  for (let at = 10; at < 62; at += 1) {
    const id = `202601010000${at}-a`;
    await keepScan(await makeScanFolder(home, id), sampleScan({ id }, [sampleFinding()]));
  }
  const shown = await listed();
  expect(shown).toContain('1 finding ');
  expect(shown).toContain('and 2 older');
});

it.each<[Partial<SequencePlan>, string | null, string]>([
  [{}, 'the scope expired', 'nothing of it can be done now: the scope expired'],
  [{ leftOut: 3 }, null, '3 further addresses of the scope left out: one run looks at 1'],
  [{ leftOut: 1 }, null, '1 further address of the scope'],
])('a plan says what it does not do, %#', (more, objection, words) => {
  const plan = { hosts: ['127.0.0.1'], leftOut: 0, steps: [], missing: [], ...more };
  expect(renderSequencePlan(plan, { name: 'x', fingerprint: 'y' }, objection, terminal)).toContain(words);
});
