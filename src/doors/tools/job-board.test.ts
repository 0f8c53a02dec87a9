import { describe, expect, it } from 'vitest';
import { HostError, TargetError, UsageError } from '../../base/errors.ts';
import { openJobBoard } from './job-board.ts';

/** Ends only when it is told to. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
const never = (): Promise<never> => new Promise(() => {});

describe('OpenJobBoard', () => {
  it('runs a job to its result and tells its progress', async () => {
    await using board = openJobBoard();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { id, state } = board.start('work', async (_, progress) => {
      progress({ phase: 'half', share: 0.5 });
      await gate;
      return { answer: 42 };
    });
    expect(state).toBe('running');
    expect(board.result(id)).toBeNull();
    await Promise.resolve();
    expect(board.status(id)).toMatchObject({ state: 'running', progress: { phase: 'half', share: 0.5 } });
    open();
    expect(await board.wait(id, 60_000)).toMatchObject({ id, title: 'work', state: 'done' });
    expect(board.result(id)).toEqual({ answer: 42 });
    expect(board.status(id)?.endedAt).toBeDefined();
  });

  it.each([
    [new TargetError('it fell over', { hint: 'mend it' }), 'it fell over; mend it', 3],
    [new HostError('no box', { exitCode: 4 }), 'no box', 4],
    [new Error('a secret\nstack'), 'internal error: a secret stack', 5],
  ])('tells why a job failed: %s', async (error, words, exitCode) => {
    await using board = openJobBoard();
    const { id } = board.start('work', () => Promise.reject(error));
    expect(await board.wait(id, 60_000)).toMatchObject({ state: 'failed', error: words, exitCode, thrown: error });
    expect(board.result(id)).toBeNull();
  });

  it('takes no more than it may run, and makes room when one has ended', async () => {
    await using board = openJobBoard({ mostRunning: 2 });
    const first = board.start('one', untilAborted);
    board.start('two', untilAborted);
    expect(() => board.start('three', untilAborted)).toThrow(UsageError);
    expect(await board.cancel(first.id)).toMatchObject({ state: 'cancelled' });
    expect(board.start('three', untilAborted).state).toBe('running');
  });

  it('forgets the oldest that have ended, never one that runs', async () => {
    await using board = openJobBoard({ mostKept: 3 });
    const running = board.start('runs', untilAborted);
    const ids: string[] = [];
    for (let number = 0; number < 6; number += 1) {
      const { id } = board.start(`job ${number}`, async () => number);
      await board.wait(id, 60_000);
      ids.push(id);
    }
    expect(board.list()).toHaveLength(3);
    expect(board.status(running.id)?.state).toBe('running');
    expect(board.status(ids[0] ?? '')).toBeNull();
    expect(board.result(ids.at(-1) ?? '')).toBe(5);
  });

  it('keeps no result that is too large', async () => {
    await using board = openJobBoard({ mostResultBytes: 100 });
    const { id } = board.start('large', async () => 'x'.repeat(200));
    expect(await board.wait(id, 60_000)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('202 bytes'),
    });
    expect(board.result(id)).toBeNull();
  });

  it('counts a job as ended that does not heed its signal', async () => {
    const board = openJobBoard({ graceMs: 10, closeMs: 10 });
    const { id } = board.start('deaf', never);
    await Promise.resolve();
    expect(await board.cancel(id)).toMatchObject({ state: 'cancelled' });
    await board.close();
  });

  it('does not begin what was cancelled before it began', async () => {
    await using board = openJobBoard();
    let isBegun = false;
    const { id } = board.start('early', async () => {
      isBegun = true;
    });
    expect(await board.cancel(id)).toMatchObject({ state: 'cancelled' });
    expect(isBegun).toBe(false);
  });

  it('keeps what a cancelled job had, also when it hands it in late', async () => {
    await using board = openJobBoard({ graceMs: 10 });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { id } = board.start('slow to end', async () => {
      await gate;
      return { partly: true };
    });
    await Promise.resolve();
    expect(await board.cancel(id)).toMatchObject({ state: 'cancelled' });
    expect(board.result(id)).toBeNull();
    const waited = board.wait(id, 60_000);
    open();
    expect(await waited).toMatchObject({ state: 'cancelled' });
    expect(board.result(id)).toEqual({ partly: true });
  });

  it('cancels everything when it is closed, and takes nothing more', async () => {
    const board = openJobBoard();
    let isPutAway = false;
    const { id } = board.start('work', async (signal) => {
      await untilAborted(signal).catch(() => {});
      await Promise.resolve();
      isPutAway = true;
    });
    await Promise.resolve();
    await board.close();
    expect(isPutAway).toBe(true);
    expect(board.status(id)?.state).toBe('cancelled');
    expect(() => board.start('late', untilAborted)).toThrow('being ended');
  });

  it('knows nothing of others', async () => {
    await using board = openJobBoard();
    expect(board.status('job-x')).toBeNull();
    expect(await board.cancel('job-x')).toBeNull();
    expect(await board.wait('job-x', 10)).toBeNull();
    expect(board.result('job-x')).toBeNull();
  });

  it('waits no longer than it was asked to', async () => {
    await using board = openJobBoard();
    const { id } = board.start('work', untilAborted);
    expect(await board.wait(id, 1)).toMatchObject({ state: 'running' });
  });
});
