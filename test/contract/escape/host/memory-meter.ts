import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const periodMs = 20;

/** How much this process grows. What is garbage already does not count, so it is collected before each look. */
export class MemoryMeter {
  readonly #collect: () => void;
  readonly #before: number;
  readonly #timer: NodeJS.Timeout;
  #most: number;

  constructor() {
    setFlagsFromString('--expose-gc');
    this.#collect = runInNewContext('gc') as () => void;
    this.#before = this.#look();
    this.#most = this.#before;
    this.#timer = setInterval(() => {
      this.#most = Math.max(this.#most, this.#look());
    }, periodMs);
  }

  #look(): number {
    this.#collect();
    return process.memoryUsage.rss();
  }

  close(): { readonly grownBytes: number } {
    clearInterval(this.#timer);
    return { grownBytes: this.#most - this.#before };
  }
}
