/** So many at once, and so many per second from then on. */
export class Allowance {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at = performance.now();

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
  }

  /** False when there is nothing left. */
  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
