import type { Clock } from '../gvisor-trace/clock.ts';

/**
 * The kernel's programs count from the start of the machine, sleep included; the log's clock stands still in sleep. One
 * act that both have seen tells the difference.
 */

export interface SharedAct {
  /** As the kernel's program stamped it. */
  readonly stamp: bigint;
  /** The log's clock before and after it. */
  readonly before: bigint;
  readonly after: bigint;
}

/** What has to be added to a stamp. A stamp that lies between the two needs nothing. */
export function stampOffset({ stamp, before, after }: SharedAct): bigint {
  if (stamp < before) return before - stamp;
  return stamp > after ? after - stamp : 0n;
}

/** For times of events; `offset` is that of `stampOffset`. */
export function hostClock(now: bigint = process.hrtime.bigint(), wallMs: number = Date.now()): Clock {
  return { now: () => process.hrtime.bigint(), offsetNs: now - BigInt(Math.round(wallMs * 1e6)), startNs: 0n };
}
