import type { Event } from '../../../base/event-schema.ts';

/** gVisor gives wall time; the log's order is that of the host's monotonic clock. */

export interface Clock {
  /** Nanoseconds of the monotonic clock. */
  readonly now: () => bigint;
  /** Monotonic minus wall. */
  readonly offsetNs: bigint;
  /** Nothing was seen before this. */
  readonly startNs: bigint;
}

/** A time that lies before the start or after now is a lie, and becomes the nearest that is not. */
export function toMonotonic(clock: Clock, wallNs: bigint): bigint {
  const at = wallNs + clock.offsetNs;
  if (at < clock.startNs) return clock.startNs;
  const now = clock.now();
  return at > now ? now : at;
}

/** Makes times of events. Many fall into one millisecond, and writing a date is what takes long. */
export function eventTimes(clock: Clock): (monotonicNs: bigint) => Event['at'] {
  let lastMs = Number.NaN;
  let wall = '';
  return (monotonicNs) => {
    const wallMs = Number((monotonicNs - clock.offsetNs) / 1_000_000n);
    if (wallMs !== lastMs) wall = new Date(wallMs).toISOString();
    lastMs = wallMs;
    return { monotonicNs: String(monotonicNs), wall };
  };
}
