import { describe, expect, it } from 'vitest';
import { Quota } from './quota.ts';
import { Rate } from './rate.ts';
import { leastUsed } from './sessions.ts';

describe('a quota', () => {
  it('leaves room for others when one client has all it may have', () => {
    const quota = new Quota({ inAll: 3, each: 2 });
    const first = quota.take('a');
    quota.take('a');
    expect(quota.take('a')).toBeNull();
    expect(quota.take('b')).not.toBeNull();
    expect(quota.take('c')).toBeNull();
    first?.();
    first?.();
    expect([quota.total, quota.heldBy('a')]).toEqual([2, 1]);
    expect(quota.take('c')).not.toBeNull();
  });

  it('counts amounts', () => {
    const quota = new Quota({ inAll: 10, each: 6 });
    const release = quota.take('a', 5);
    expect(quota.take('a', 2)).toBeNull();
    expect(quota.take('b', 6)).toBeNull();
    expect(quota.take('b', 5)).not.toBeNull();
    release?.();
    expect(quota.total).toBe(5);
  });
});

describe('a rate', () => {
  it('is one for each client, and fills with time', () => {
    let time = 0;
    const rate = new Rate({ perSecond: 2, burst: 2 }, () => time);
    expect([rate.take('a'), rate.take('a'), rate.take('a'), rate.take('b')]).toEqual([true, true, false, true]);
    time = 500;
    expect([rate.take('a'), rate.take('a')]).toEqual([true, false]);
    time = 1_000_000;
    expect([rate.take('a'), rate.take('a'), rate.take('a')]).toEqual([true, true, false]);
  });

  it('remembers no more clients than it may', () => {
    const rate = new Rate({ perSecond: 1, burst: 1 }, () => 0);
    for (let client = 0; client < 11_000; client += 1) rate.take(`c${client}`);
    expect(rate.size).toBe(10_000);
  });
});

describe('leastUsed', () => {
  it('prefers what nobody uses, then what was used longest ago', () => {
    const [busy, idle, older] = [
      { uses: 1, usedAt: 1 },
      { uses: 0, usedAt: 9 },
      { uses: 0, usedAt: 5 },
    ];
    expect(leastUsed([busy, idle, older])).toBe(older);
    expect(leastUsed([busy])).toBe(busy);
    expect(leastUsed([])).toBeUndefined();
  });
});
