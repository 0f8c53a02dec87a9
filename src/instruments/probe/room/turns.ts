import type { Pacer } from '../pacer.ts';

/**
 * Those of one room who wait for the pace that all rooms share. A turn is given when it has come, to whoever still waits
 * then: the turns of those who left would be lost, and where more is asked for than the pace allows, all of them are.
 */

/** Asked for ahead, so that a loop that is late does not lose turns; so many are lost when everybody leaves. */
const mostAhead = 4;

export class Turns {
  readonly #pacer: Pick<Pacer, 'take'>;
  readonly #waiting = new Set<() => void>();
  #ahead = 0;

  constructor(pacer: Pick<Pacer, 'take'>) {
    this.#pacer = pacer;
  }

  /** Resolves when it is the caller's turn, or at once when nobody wants it any more. */
  take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const finish = (): void => {
      this.#waiting.delete(finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    this.#waiting.add(finish);
    signal.addEventListener('abort', finish);
    this.#ask();
    return promise;
  }

  #ask(): void {
    while (this.#ahead < Math.min(mostAhead, this.#waiting.size)) {
      this.#ahead += 1;
      void this.#pacer.take().then(() => {
        this.#ahead -= 1;
        const [first] = this.#waiting;
        first?.();
        this.#ask();
      });
    }
  }
}
