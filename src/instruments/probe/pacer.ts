import type { Pace } from './contract.ts';

/** Lets so many through in a second, one after the other, whoever asks. */
export class Pacer {
  readonly #intervalMs: number;
  #next = 0;

  constructor(perSecond: number) {
    this.#intervalMs = 1000 / perSecond;
  }

  /** Resolves when it is the caller's turn. */
  async take(): Promise<void> {
    const now = performance.now();
    // What nobody used is not saved up: a scope that allows ten a second never sees eleven.
    const turn = Math.max(now, this.#next);
    this.#next = turn + this.#intervalMs;
    // A timer may come up to a millisecond early; those that are nearly due go at once and in order all the same.
    if (turn - now >= 1) await new Promise((resolve) => setTimeout(resolve, turn - now));
  }
}

/**
 * What one of several programs is told to keep to. They share the rate of the scope at the gate: one that goes faster
 * than its share only makes itself wait, and takes that for a target that does not answer.
 */
export function shareOfPace(pace: Pace, programs: number): Pace {
  const share = (rate: number): number => Math.max(1, Math.floor(rate / Math.max(1, programs)));
  return {
    ...pace,
    requestsPerSecond: share(pace.requestsPerSecond),
    connectionsPerSecond: share(pace.connectionsPerSecond),
  };
}
