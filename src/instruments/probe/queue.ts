import { UsageError } from '../../base/errors.ts';

/** Who scans now and who waits: so many at a time in all, and so many against one target. */

interface Waiting {
  readonly keys: readonly string[];
  readonly start: () => void;
}

export interface QueueLimits {
  readonly scans: number;
  readonly perTarget: number;
  /** Beyond these a scan is refused rather than kept waiting. */
  readonly waiting: number;
}

export class ScanQueue {
  readonly #limits: QueueLimits;
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #count = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** How many scan now. */
  get running(): number {
    return this.#count;
  }

  get length(): number {
    return this.#waiting.length;
  }

  #hasRoom(keys: readonly string[]): boolean {
    const isFree = (key: string): boolean => (this.#running.get(key) ?? 0) < this.#limits.perTarget;
    return this.#count < this.#limits.scans && keys.every(isFree);
  }

  #enter(keys: readonly string[]): void {
    this.#count += 1;
    for (const key of keys) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  #leave(keys: readonly string[]): void {
    this.#count -= 1;
    for (const key of keys) {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left === 0) this.#running.delete(key);
      else this.#running.set(key, left);
    }
    this.#startNext();
  }

  /** In order, but nobody waits for a target that is busy behind somebody whose target is free. */
  #startNext(): void {
    for (let at = 0; at < this.#waiting.length; ) {
      const waiting = this.#waiting[at];
      if (waiting === undefined || !this.#hasRoom(waiting.keys)) {
        at += 1;
        continue;
      }
      this.#waiting.splice(at, 1);
      this.#enter(waiting.keys);
      waiting.start();
    }
  }

  async run<Result>(
    keys: readonly string[],
    signal: AbortSignal,
    onWait: (ahead: number) => void,
    work: () => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    if (this.#hasRoom(keys)) this.#enter(keys);
    else await this.#wait(keys, signal, onWait);
    try {
      return await work();
    } finally {
      this.#leave(keys);
    }
  }

  async #wait(keys: readonly string[], signal: AbortSignal, onWait: (ahead: number) => void): Promise<void> {
    if (this.#waiting.length >= this.#limits.waiting) {
      throw new UsageError(`${this.#waiting.length} scans are waiting already`, {
        hint: 'wait for some of them, or cancel them',
      });
    }
    onWait(this.#waiting.length);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { keys, start: resolve };
    const leave = (): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
