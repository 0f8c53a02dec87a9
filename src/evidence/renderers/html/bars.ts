import type { Tone } from './tones.ts';

/** Bars on one line of the timeline, few enough to be drawn however many there were. */

export interface Bar {
  readonly left: number;
  readonly right: number;
  readonly tone: Tone;
  readonly title: string;
  readonly count: number;
}

/** Less than this apart, two of a kind cannot be told apart in a picture. */
const finest = 0.15;

/** Those of one tone that touch become one. */
export function mergeBars(bars: readonly Bar[]): readonly Bar[] {
  const merged: Bar[] = [];
  const last = new Map<Tone, number>();
  for (const bar of bars.toSorted((one, other) => one.left - other.left)) {
    const at = last.get(bar.tone);
    const before = at === undefined ? undefined : merged[at];
    if (at === undefined || before === undefined || bar.left - before.right > finest) {
      last.set(bar.tone, merged.length);
      merged.push(bar);
      continue;
    }
    merged[at] = {
      ...before,
      right: Math.max(before.right, bar.right),
      count: before.count + bar.count,
    };
  }
  return merged;
}

/** Each on the first line where it has room; what finds none is counted. */
export function pack<T extends { readonly left: number; readonly right: number }>(
  bars: readonly T[],
  mostLines: number,
): { readonly lines: readonly (readonly T[])[]; readonly leftOut: number } {
  const lines: T[][] = [];
  let leftOut = 0;
  for (const bar of bars) {
    const free = lines.find((line) => (line.at(-1)?.right ?? -1) + finest <= bar.left);
    if (free !== undefined) free.push(bar);
    else if (lines.length < mostLines) lines.push([bar]);
    else leftOut += 1;
  }
  return { lines, leftOut };
}
