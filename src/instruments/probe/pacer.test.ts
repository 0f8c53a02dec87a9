import { describe, expect, it } from 'vitest';
import { Pacer, shareOfPace } from './pacer.ts';

describe('Pacer', () => {
  it('lets them through in order, and never more than so many in a second', async () => {
    const pacer = new Pacer(100);
    const started = performance.now();
    const order: number[] = [];
    await Promise.all(Array.from({ length: 31 }, (_, at) => pacer.take().then(() => order.push(at))));
    expect(order).toEqual(order.toSorted((left, right) => left - right));
    // Thirty intervals of ten milliseconds; timers may be early by one.
    expect(performance.now() - started).toBeGreaterThanOrEqual(290);
  });

  it('saves nothing up while nobody asks', async () => {
    const pacer = new Pacer(50);
    await pacer.take();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const started = performance.now();
    for (let at = 0; at < 4; at += 1) await pacer.take();
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });
});

describe('shareOfPace', () => {
  const pace = { requestsPerSecond: 50, connectionsPerSecond: 7, connections: 20 };
  it.each([
    [0, 50, 7],
    [1, 50, 7],
    [3, 16, 2],
    [10, 5, 1],
    [100, 1, 1],
  ])('is for one of %i programs', (programs, requestsPerSecond, connectionsPerSecond) => {
    expect(shareOfPace(pace, programs)).toEqual({ requestsPerSecond, connectionsPerSecond, connections: 20 });
  });
});
