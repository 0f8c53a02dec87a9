import type { Event, EventKind } from '../../../base/event-schema.ts';
import type { CallOutcome } from './outcome.ts';

/** Calls that have begun and whose end has not come. A thread is in one call at a time. */

export interface Attempt {
  readonly pid: number;
  readonly number: number;
  /** As gVisor gave it. */
  readonly timeNs: bigint;
  readonly kind: EventKind | null;
  /** Nearly all have a twin that comes, and then these are not needed. */
  readonly fields: () => Event['fields'];
  readonly lost: readonly string[];
  /** Its end comes twice: as integers, and then with its path. */
  readonly hasTwin: boolean;
  outcome: CallOutcome;
  /** It took so long that it was told before its end. */
  isTold: boolean;
}

const mostAttempts = 65_536;

export class Attempts {
  readonly #byThread = new Map<number, Attempt>();
  readonly #tell: (attempt: Attempt) => void;

  constructor(tell: (attempt: Attempt) => void) {
    this.#tell = tell;
  }

  get(thread: number, number: number): Attempt | null {
    const attempt = this.#byThread.get(thread);
    return attempt?.number === number ? attempt : null;
  }

  /** What the thread was in before has ended unseen. */
  begin(thread: number, attempt: Attempt): void {
    this.settle(thread);
    if (this.#byThread.size >= mostAttempts) this.settleAll();
    this.#byThread.set(thread, attempt);
  }

  /** Takes one out whose end has come. */
  end(thread: number, number: number): Attempt | null {
    const attempt = this.get(thread, number);
    if (attempt === null) this.settle(thread);
    else this.#byThread.delete(thread);
    return attempt;
  }

  settle(thread: number): void {
    const attempt = this.#byThread.get(thread);
    if (attempt === undefined) return;
    this.#byThread.delete(thread);
    if (!attempt.isTold) this.#tell(attempt);
  }

  settleAll(): void {
    for (const thread of [...this.#byThread.keys()]) this.settle(thread);
  }

  /** Tells of calls that hang. One with a twin is kept back: its end will say more. */
  tellBefore(limitNs: bigint): void {
    for (const attempt of this.#byThread.values()) {
      if (attempt.isTold || attempt.hasTwin || attempt.timeNs > limitNs) continue;
      attempt.isTold = true;
      this.#tell(attempt);
    }
  }
}
