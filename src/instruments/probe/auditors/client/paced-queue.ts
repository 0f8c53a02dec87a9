import type { Pace } from '../../contract.ts';
import { Pacer } from '../../pacer.ts';

/** Starts no more than so many things in a second and has no more than so many under way. First come, first served. */
export class PacedQueue {
  readonly #pacer: Pacer;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor({ requestsPerSecond, connections }: Pick<Pace, 'requestsPerSecond' | 'connections'>) {
    this.#pacer = new Pacer(requestsPerSecond);
    this.#free = Math.max(1, Math.floor(connections));
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      await this.#pacer.take();
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
