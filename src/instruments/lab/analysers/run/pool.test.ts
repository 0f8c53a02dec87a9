import { afterAll, describe, expect, it } from 'vitest';
import { raw } from '../../../../../test/samples/lab/general/build.ts';
import type { AnalyserRun } from '../../contract.ts';
import type { RunOrder, RunProgress } from './contract.ts';
import { AnalyserPool } from './pool.ts';

const workerFile = new URL('../../../../../test/samples/lab/general/misbehaving-worker.ts', import.meta.url);
const pool = new AnalyserPool({ workerFile, threads: 2, limits: { graceMs: 150, megabytes: 48 } });
afterAll(() => pool.close());

const order = (more: Partial<RunOrder> = {}): RunOrder => ({
  bytes: raw('hello world\n'),
  name: 'x.txt',
  depth: 'quick',
  ...more,
});

async function runOne(id: string): Promise<AnalyserRun | undefined> {
  return (await pool.run(order({ only: [id] }))).runs[0];
}

describe('AnalyserPool', () => {
  it('gives an analyser the bytes, the name and the kind', async () => {
    const run = await runOne('good');
    expect(run).toMatchObject({
      status: 'done',
      version: 1,
      result: { facts: { size: 12, name: 'x.txt', kind: 'text', first: 104 } },
    });
  });

  const endings: readonly (readonly [string, AnalyserRun['status'], RegExp])[] = [
    ['hangs', 'timed-out', /thread was ended/],
    ['ticks', 'timed-out', /^not done after 200 ms$/],
    ['never-answers', 'timed-out', /thread was ended/],
    ['throws', 'failed', /broken \\x1b\[31m by design/],
    ['leaves', 'failed', /did not survive/],
    ['fills-memory', 'failed', /memory/],
    ['uncloneable', 'failed', /cannot leave its thread/],
    ['notes', 'partial', /something was missing/],
    ['many-children', 'partial', /44 of 300 inner files/],
  ];
  it.each(endings)('%s: %s', async (id, status, note) => {
    const run = await runOne(id);
    expect(run?.status).toBe(status);
    expect(run?.result.notes.join('\n')).toMatch(note);
    expect((await runOne('good'))?.status).toBe('done');
  });

  it('lets the others be when some fail, and answers in the order of the list', async () => {
    const only = ['last', 'leaves', 'good', 'hangs', 'throws', 'prints', 'nobody'];
    const progress: RunProgress[] = [];
    const { runs, skipped } = await pool.run(order({ only, onProgress: (one) => progress.push(one) }));
    expect(runs.map(({ analyser, status }) => [analyser, status])).toEqual([
      ['good', 'done'],
      ['hangs', 'timed-out'],
      ['throws', 'failed'],
      ['leaves', 'failed'],
      ['prints', 'done'],
      ['last', 'done'],
    ]);
    expect(skipped).toContainEqual({ analyser: 'nobody', because: 'no such analyser' });
    expect(skipped).toContainEqual({ analyser: 'notes', because: 'not asked for' });
    expect(progress.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(progress.every(({ total }) => total === 6)).toBe(true);
  });

  it('bounds the children of a run as a whole', async () => {
    const { runs } = await pool.run(order({ only: ['many-children', 'more-children'] }));
    expect(runs.map(({ status, result }) => [status, result.children.length])).toEqual([
      ['partial', 256],
      ['partial', 0],
    ]);
    expect(runs[0]?.result.children[0]?.bytes).toEqual(raw('hell'));
  });

  it('does not begin what was called off before', async () => {
    await expect(pool.run(order({ signal: AbortSignal.abort(new Error('no more')) }))).rejects.toThrow('no more');
  });

  it('lists its analysers without their code', async () => {
    const entries = await pool.entries();
    const deep = { id: 'deep', title: 'deep', version: 1, kinds: 'any', depth: 'deep', timeoutMs: 20_000 };
    expect(entries.find(({ id }) => id === 'deep')).toEqual(deep);
  });

  it('ends at once when it is called off, and works on', async () => {
    const controller = new AbortController();
    const running = pool.run(order({ only: ['hangs', 'never-answers', 'good', 'last'], signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('called off')), 20);
    await expect(running).rejects.toThrow('called off');
    expect((await runOne('last'))?.status).toBe('done');
  });

  it('takes no order once it is closed', async () => {
    const closed = new AnalyserPool({ workerFile });
    closed.close();
    await expect(closed.run(order())).rejects.toThrow('closed');
  });
});
