import { setTimeout as delay } from 'node:timers/promises';
import type { EventWindow } from '../session/event-window.ts';

/** Waits until a target has come to rest: no event for a while, or long enough. */
export async function awaitQuiet(window: EventWindow, quietMs: number, longestMs: number): Promise<void> {
  const until = performance.now() + longestMs;
  const quietNs = BigInt(quietMs) * 1_000_000n;
  await delay(quietMs);
  while (performance.now() < until) {
    const now = process.hrtime.bigint();
    if (window.between(now - quietNs, now).length === 0) return;
    await delay(quietMs / 2);
  }
}
