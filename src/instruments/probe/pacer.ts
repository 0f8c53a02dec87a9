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
