import { describe, expect, it } from 'vitest';
import { event } from '../trials/sample-observed.ts';
import { EventWindow } from './event-window.ts';

const second = 1_000_000_000n;

function at(seq: number, ns: bigint) {
  return { ...event(seq, 'open', {}), at: { monotonicNs: String(ns), wall: '2025-06-01T12:00:00.000Z' } };
}

function seqs(window: EventWindow, from: bigint, to: bigint): readonly number[] {
  return window.between(from, to).map(({ seq }) => seq);
}

describe('a window of events', () => {
  it('gives those between two moments, both included, in the order of the log', () => {
    const window = new EventWindow();
    window.add([at(1, 10n), at(2, 20n), at(3, 30n), at(4, 40n)]);
    expect(seqs(window, 20n, 30n)).toEqual([2, 3]);
    expect(seqs(window, 41n, 90n)).toEqual([]);
    expect(seqs(new EventWindow(), 0n, 90n)).toEqual([]);
  });

  it.each([1n, 4n, 9n, 90n])('what comes %d s late hides nothing that was there before', (late) => {
    const window = new EventWindow();
    const now = 100n * second;
    window.add([at(1, now - late * second - 1n), at(2, now)]);
    window.add([at(3, now - late * second)]);
    expect(seqs(window, now, now)).toEqual([2]);
    expect(seqs(window, now - late * second, now)).toEqual([2, 3]);
  });

  it('keeps a bounded number, the newest ones, and counts the rest', () => {
    const window = new EventWindow();
    const many = Array.from({ length: 50_000 }, (_, index) => at(index, BigInt(index)));
    for (let round = 0; round < 4; round += 1) window.add(many);
    expect(window.dropped).toBe(0);
    window.add([at(777_777, 60_000n)]);
    expect(window.dropped).toBe(100_001);
    const kept = window.between(0n, 60_000n);
    expect(kept).toHaveLength(100_000);
    expect(kept.at(-1)?.seq).toBe(777_777);
  });
});
