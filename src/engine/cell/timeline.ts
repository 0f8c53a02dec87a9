import type { Phase } from '../../base/event-schema.ts';

/**
 * Which phase a run was in, and which calls were in flight, at any moment. Sensors hand things over a little later than
 * they happen, so it is looked up by time.
 */

export interface Moment {
  readonly phase: Phase;
  /** The calls in flight, oldest first; undefined when there was none. */
  readonly call: string | undefined;
}

interface Mark extends Moment {
  readonly from: bigint;
}

const longestCall = 256;
/** Sensors are never this many changes behind. */
const mostMarks = 4096;

export class Timeline {
  readonly #now: () => bigint;
  readonly #inFlight = new Set<string>();
  #marks: Mark[] = [];
  #phase: Phase;

  constructor(phase: Phase, now: () => bigint = process.hrtime.bigint) {
    this.#now = now;
    this.#phase = phase;
    this.#mark();
  }

  get phase(): Phase {
    return this.#phase;
  }

  enter(phase: Phase): void {
    this.#phase = phase;
    this.#mark();
  }

  callStarted(id: string): void {
    this.#inFlight.add(id);
    this.#mark();
  }

  callEnded(id: string): void {
    if (this.#inFlight.delete(id)) this.#mark();
  }

  #mark(): void {
    const call = this.#inFlight.size === 0 ? undefined : [...this.#inFlight].join(' ').slice(0, longestCall);
    this.#marks.push({ from: this.#now(), phase: this.#phase, call });
    if (this.#marks.length > mostMarks) this.#marks = this.#marks.slice(-mostMarks / 2);
  }

  at(monotonicNs: bigint): Moment {
    let low = 0;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#marks[middle]?.from ?? 0n) <= monotonicNs) low = middle;
      else high = middle - 1;
    }
    const { phase, call } = this.#marks[low] ?? { phase: this.#phase, call: undefined };
    return { phase, call };
  }
}
