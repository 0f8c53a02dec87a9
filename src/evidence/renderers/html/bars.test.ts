import { describe, expect, it } from 'vitest';
import { type Bar, mergeBars, pack } from './bars.ts';
import { makeTimeScale } from './time-scale.ts';

const bar = (left: number, right: number, tone: Bar['tone'] = 'low'): Bar => ({
  left,
  right,
  tone,
  title: 't',
  count: 1,
});

describe('bars', () => {
  it('of one tone that touch become one, others stay', () => {
    const merged = mergeBars([bar(0, 1), bar(1.1, 2), bar(1.2, 3, 'high'), bar(5, 6)]);
    expect(merged.map(({ left, right, tone, count }) => [left, right, tone, count])).toEqual([
      [0, 2, 'low', 2],
      [1.2, 3, 'high', 1],
      [5, 6, 'low', 1],
    ]);
  });

  it('are few, however many there were', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => bar(at / 1000, at / 1000));
    expect(mergeBars(many).length).toBeLessThan(1000);
  });

  it('lie on as few lines as they fit on, and what fits on none is counted', () => {
    const { lines, leftOut } = pack([bar(0, 10), bar(2, 4), bar(5, 8), bar(6, 9), bar(11, 12)], 2);
    expect(lines.map((line) => line.map(({ left }) => left))).toEqual([
      [0, 11],
      [2, 5],
    ]);
    expect(leftOut).toBe(1);
  });
});

describe('the scale of time', () => {
  const scale = makeTimeScale({
    phases: [
      { phase: 'start', fromMs: 0, toMs: 10 },
      { phase: 'attack', fromMs: 10, toMs: 60_000 },
    ],
    calls: [],
    processes: [],
  });

  it('gives a short phase room', () => {
    expect(scale.at(10)).toBeGreaterThan(20);
  });

  it('goes on and on, within the picture', () => {
    const places = [-5, 0, 5, 10, 11, 30_000, 60_000, 99_999].map((ms) => scale.at(ms));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBeCloseTo(100);
  });

  it('is there without phases and without time', () => {
    const empty = makeTimeScale({ phases: [], calls: [], processes: [] });
    expect([empty.at(0), empty.at(7)]).toEqual([0, 100]);
  });
});
