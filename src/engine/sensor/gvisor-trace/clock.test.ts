import { describe, expect, it } from 'vitest';
import { eventTimes, toMonotonic } from './clock.ts';

const wall = 1_800_000_000_123_456_789n;
const clock = { now: () => 5000n, startNs: 1000n, offsetNs: 2000n - wall };

describe('the clock', () => {
  it.each([
    ['a time between', wall, 2000n],
    ['a time before the start', wall - 1500n, 1000n],
    ['no time', 0n, 1000n],
    ['a time that has not come', wall + 9000n, 5000n],
    ['the end of time', 2n ** 63n - 1n, 5000n],
  ])('maps %s', (_, given, expected) => {
    expect(toMonotonic(clock, given)).toBe(expected);
  });

  it('gives both times of an event', () => {
    const toEventTime = eventTimes(clock);
    expect([2000n, 2001n, 1_002_000n, 2000n].map(toEventTime)).toEqual([
      { monotonicNs: '2000', wall: '2027-01-15T08:00:00.123Z' },
      { monotonicNs: '2001', wall: '2027-01-15T08:00:00.123Z' },
      { monotonicNs: '1002000', wall: '2027-01-15T08:00:00.124Z' },
      { monotonicNs: '2000', wall: '2027-01-15T08:00:00.123Z' },
    ]);
  });
});
