import type { Event } from '../../base/event-schema.ts';

/** Milliseconds since the first event of a run. */
export class Clock {
  #startNs: bigint | null = null;
  /** The latest moment so far. */
  lastMs = 0;

  /** Sensors hand over late, so what was logged later may have happened before the first event: that is moment 0. */
  at({ at }: Event): number {
    const ns = BigInt(at.monotonicNs);
    this.#startNs ??= ns;
    const ms = ns <= this.#startNs ? 0 : Number(ns - this.#startNs) / 1e6;
    const rounded = Math.round(ms * 100) / 100;
    this.lastMs = Math.max(this.lastMs, rounded);
    return rounded;
  }
}
