import { describe, expect, it } from 'vitest';
import { ScanQueue } from './queue.ts';

const never = new AbortController().signal;

interface Held {
  readonly name: string;
  readonly end: () => void;
  readonly done: Promise<void>;
}

/** Work that lasts until it is told to end; `begun` holds who runs. */
function hold(queue: ScanQueue, begun: string[], name: string, keys: readonly string[], signal = never): Held {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = queue.run(
    keys,
    signal,
    () => begun.push(`${name} waits`),
    async () => {
      begun.push(name);
      await promise;
    },
  );
  return { name, end: resolve, done };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ScanQueue', () => {
  it('lets so many scan at a time, and so many one target', async () => {
    const queue = new ScanQueue({ scans: 3, perTarget: 1, waiting: 9 });
    const begun: string[] = [];
    const first = hold(queue, begun, 'first', ['a']);
    const second = hold(queue, begun, 'second', ['a']);
    const third = hold(queue, begun, 'third', ['b']);
    const fourth = hold(queue, begun, 'fourth', ['c']);
    const fifth = hold(queue, begun, 'fifth', ['d']);
    await settle();
    expect(begun).toEqual(['first', 'second waits', 'third', 'fourth', 'fifth waits']);
    third.end();
    await third.done;
    await settle();
    // The second still waits for its target, and does not hold up the one behind it.
    expect(begun.slice(5)).toEqual(['fifth']);
    first.end();
    await first.done;
    await settle();
    expect(begun.slice(6)).toEqual(['second']);
    for (const held of [second, fourth, fifth]) held.end();
    await Promise.all([second.done, fourth.done, fifth.done]);
    expect(queue.length).toBe(0);
  });

  it('holds a scan of several addresses against each of them', async () => {
    const queue = new ScanQueue({ scans: 9, perTarget: 1, waiting: 9 });
    const begun: string[] = [];
    const both = hold(queue, begun, 'both', ['a', 'b']);
    const one = hold(queue, begun, 'one', ['b']);
    await settle();
    expect(begun).toEqual(['both', 'one waits']);
    both.end();
    await both.done;
    one.end();
    await one.done;
  });

  it('forgets who no longer waits, and goes on after a failure', async () => {
    const queue = new ScanQueue({ scans: 1, perTarget: 1, waiting: 9 });
    const begun: string[] = [];
    const first = hold(queue, begun, 'first', ['a']);
    const leaving = new AbortController();
    const second = hold(queue, begun, 'second', ['a'], leaving.signal);
    const third = queue.run(
      ['a'],
      never,
      () => undefined,
      () => Promise.reject(new Error('it broke')),
    );
    const fourth = queue.run(
      ['a'],
      never,
      () => undefined,
      async () => 'fine',
    );
    leaving.abort(new Error('gone'));
    await expect(second.done).rejects.toThrow('gone');
    first.end();
    await expect(third).rejects.toThrow('it broke');
    expect(await fourth).toBe('fine');
    expect(begun).toEqual(['first', 'second waits']);
  });

  it('refuses rather than keep everybody waiting', async () => {
    const queue = new ScanQueue({ scans: 1, perTarget: 1, waiting: 1 });
    const begun: string[] = [];
    const [first, second] = [hold(queue, begun, 'first', ['a']), hold(queue, begun, 'second', ['a'])];
    await expect(hold(queue, begun, 'third', ['a']).done).rejects.toThrow('waiting already');
    first.end();
    second.end();
    await Promise.all([first.done, second.done]);
  });

  it('starts nothing for who has left already', async () => {
    const queue = new ScanQueue({ scans: 1, perTarget: 1, waiting: 1 });
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(
      queue.run(
        ['a'],
        gone,
        () => undefined,
        async () => 1,
      ),
    ).rejects.toThrow('gone');
    expect(
      await queue.run(
        ['a'],
        never,
        () => undefined,
        async () => 2,
      ),
    ).toBe(2);
  });
});
