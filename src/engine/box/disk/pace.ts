import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets everything else have its turn, again and again, while a long row of short synchronous calls is made. */

const longestMs = 8;

export class Pace {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since >= longestMs;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
