import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stampOffset } from './clock.ts';
import { Complaints } from './complaints.ts';
import { OrderWindow } from './order.ts';
import { pagesPerProcessor } from './program.ts';
import { marksOf } from './records.ts';
import { witnessScript } from './script.ts';

describe('OrderWindow', () => {
  const at = (value: number) => ({ at: BigInt(value) });

  it('holds back what the other processor may still come before', () => {
    const window = new OrderWindow<{ readonly at: bigint }>();
    for (const time of [5, 9]) window.add(at(time));
    expect(window.beat()).toEqual([]);
    for (const time of [3, 7, 12]) window.add(at(time));
    expect(window.beat()).toEqual([3, 5, 7, 9].map(at));
    expect(window.drain()).toEqual([at(12)]);
  });

  it('loses and doubles nothing, and sorts what comes within two beats', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(1000))), (beats) => {
        const window = new OrderWindow<{ readonly at: bigint }>();
        const given: bigint[] = [];
        for (const [number, times] of beats.entries()) {
          // No older than what was new one beat ago.
          for (const time of times) window.add(at(1000 * number + 2 * time));
          given.push(...window.beat().map((each) => each.at));
        }
        given.push(...window.drain().map((each) => each.at));
        expect(given).toHaveLength(beats.flat().length);
        expect(given.toSorted((one, other) => Number(one - other))).toEqual(
          beats
            .flatMap((times, number) => times.map((time) => BigInt(1000 * number + 2 * time)))
            .toSorted((one, other) => Number(one - other)),
        );
      }),
    );
  });
});

describe('stampOffset', () => {
  it.each([
    ['the same clock', 105n, 0n],
    ['a clock that is behind', 40n, 60n],
    ['a clock that is ahead', 510n, -400n],
  ])('of %s', (_, stamp, offset) => {
    expect(stampOffset({ stamp, before: 100n, after: 110n })).toBe(offset);
  });
});

describe('Complaints', () => {
  it('counts losses and keeps the rest, cut as it may be', () => {
    const complaints = new Complaints();
    for (const part of [
      'Lost 12 ev',
      'ents\nERROR: cannot\x1b[2J attach\nLost 3 events\n',
      "couldn't set RLIMIT_MEMLOCK\n",
    ]) {
      complaints.take(Buffer.from(part));
    }
    expect(complaints.lost).toBe(15);
    expect(complaints.text).toBe('ERROR: cannot?[2J attach');
  });
});

describe('pagesPerProcessor', () => {
  it.each([
    [1, 4096],
    [16, 4096],
    [17, 2048],
    [64, 1024],
    [4096, 64],
  ])('%i processors', (processors, pages) => {
    expect(pagesPerProcessor(processors)).toBe(pages);
  });
});

describe('witnessScript', () => {
  it('looks for the acts of one process only, and puts the number it drew between texts', () => {
    const script = witnessScript({ watcher: 4242, key: 99_999_999, skipsOpened: false, marks: marksOf('feed') });
    expect(script.match(/pid == 4242/g)).toHaveLength(2);
    expect(script).toContain('args->who == 99999999');
    expect(script).toContain('<feed|%s');
    expect(script).not.toContain('undefined');
  });
});
