import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProgressMessage, progressCounter, reportProgress } from './progress.ts';

describe('progressCounter', () => {
  it('tells a share of a hundred', () => {
    const count = progressCounter();
    expect(count({ phase: 'install', share: 0 })).toEqual({ progress: 0, total: 100, message: 'install' });
    expect(count({ phase: 'use', share: 0.5 })).toEqual({ progress: 50, total: 100, message: 'use' });
    expect(count({ phase: 'end', share: 1 })).toEqual({ progress: 100, total: 100, message: 'end' });
  });

  it('counts steps where no share is known', () => {
    const count = progressCounter();
    expect([1, 2].map(() => count({ phase: 'a' }).progress)).toEqual([0, 1]);
    expect(count({ phase: 'a' })).not.toHaveProperty('total');
  });

  it('always grows and never passes its total', () => {
    const share = fc.option(fc.oneof(fc.double(), fc.double({ min: 0, max: 1, noNaN: true })), { nil: undefined });
    fc.assert(
      fc.property(fc.array(share, { maxLength: 60 }), (shares) => {
        const count = progressCounter();
        let last = Number.NEGATIVE_INFINITY;
        for (const each of shares) {
          const told = count({ phase: 'p', ...(each === undefined ? {} : { share: each }) });
          expect(told.progress).toBeGreaterThan(last);
          if (told.total !== undefined) expect(told.progress).toBeLessThanOrEqual(told.total);
          last = told.progress;
        }
      }),
    );
  });
});

describe('reportProgress', () => {
  it('has one message on its way at a time, and then the newest', async () => {
    const sent: ProgressMessage[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const reporter = reportProgress(async (message) => {
      sent.push(message);
      if (sent.length === 1) await promise;
    });
    for (let step = 0; step < 1000; step += 1) reporter.report({ phase: `step ${step}` });
    expect(sent.map(({ message }) => message)).toEqual(['step 0']);
    resolve();
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[1]?.message).toBe('step 999');
    reporter.stop();
  });

  it('says nothing after it was stopped or the client has gone', async () => {
    let tries = 0;
    const reporter = reportProgress(async () => {
      tries += 1;
      throw new Error('gone');
    });
    reporter.report({ phase: 'a' });
    await Promise.resolve();
    reporter.report({ phase: 'b' });
    reporter.stop();
    reporter.report({ phase: 'c' });
    expect(tries).toBe(1);
  });
});
