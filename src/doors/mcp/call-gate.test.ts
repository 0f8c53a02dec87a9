import { describe, expect, it } from 'vitest';
import { CallGate } from './call-gate.ts';

const never = new AbortController().signal;

/** A call that ends when it is told to. */
function call() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('a gate', () => {
  it('lets in as many as there is room for', async () => {
    const gate = new CallGate({ mostRunning: 3, mostRunningEach: 2 });
    const calls = Array.from({ length: 5 }, call);
    const runs = calls.map(({ work }, at) => gate.run(at < 3 ? 'a' : 'b', never, work));
    await settle();
    expect(gate.running).toBe(3);
    for (const { end } of calls) end();
    await Promise.all(runs);
    expect([gate.running, gate.clients]).toEqual([0, 0]);
  });

  it('takes turns between clients', async () => {
    const gate = new CallGate({ mostRunning: 1 });
    const order: string[] = [];
    const first = call();
    const runs = [gate.run('a', never, first.work)];
    for (const client of ['a', 'a', 'a', 'b', 'c']) {
      runs.push(gate.run(client, never, async () => void order.push(client)));
    }
    first.end();
    await Promise.all(runs);
    expect(order.indexOf('b')).toBeLessThan(3);
    expect(order.indexOf('c')).toBeLessThan(3);
    expect(order.toSorted()).toEqual(['a', 'a', 'a', 'b', 'c']);
  });

  it('refuses a line that is too long, and only that one', async () => {
    const gate = new CallGate({ mostRunning: 2, mostRunningEach: 1, mostWaitingEach: 1 });
    const busy = call();
    const runs = [gate.run('a', never, busy.work), gate.run('a', never, busy.work)];
    await expect(gate.run('a', never, busy.work)).rejects.toThrow(/waiting already/);
    await gate.run('b', never, async () => {});
    busy.end();
    await Promise.all(runs);
  });

  it.each([true, false])('lets go of who does not want to wait any more (aborted before: %s)', async (isBefore) => {
    const gate = new CallGate({ mostRunning: 1 });
    const busy = call();
    const run = gate.run('a', never, busy.work);
    const stop = new AbortController();
    if (isBefore) stop.abort();
    const waiting = gate.run('b', stop.signal, async () => 'ran');
    waiting.catch(() => {});
    stop.abort();
    await expect(waiting).rejects.toThrow(/cancelled/);
    expect(gate.clients).toBe(1);
    busy.end();
    await run;
    expect(await gate.run('b', never, async () => 'ran')).toBe('ran');
  });

  it('makes room again after a failure', async () => {
    const gate = new CallGate({ mostRunning: 1 });
    await expect(gate.run('a', never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(gate.running).toBe(0);
  });
});
