import type { MessagePort, Worker } from 'node:worker_threads';
import { describeError } from '../../base/errors.ts';

/**
 * Batches from a worker thread to its owner, with back-pressure: when the owner has not taken the last few, the worker
 * stands still, and with it whatever it watches. Nothing is dropped.
 */

const mostOutstanding = 4;
/** A worker that waits this long has an owner that is stuck; it goes on, and says so. */
const longestWaitMs = 120_000;

export interface Counters {
  /** Int32: batches taken by the owner. */
  readonly taken: SharedArrayBuffer;
}

export function createCounters(): Counters {
  return { taken: new SharedArrayBuffer(4) };
}

interface BatchMessage<T> {
  readonly batch: readonly T[];
}

/** The worker's side. */
export class BatchSender<T> {
  readonly #port: MessagePort;
  readonly #taken: Int32Array;
  #sent = 0;
  #pending: T[] = [];

  constructor(port: MessagePort, counters: Counters) {
    this.#port = port;
    this.#taken = new Int32Array(counters.taken);
  }

  get size(): number {
    return this.#pending.length;
  }

  add(item: T): void {
    this.#pending.push(item);
  }

  /** Blocks while too many batches are under way. */
  flush(): void {
    if (this.#pending.length === 0) return;
    const deadline = Date.now() + longestWaitMs;
    for (
      let taken = Atomics.load(this.#taken, 0);
      this.#sent - taken >= mostOutstanding;
      taken = Atomics.load(this.#taken, 0)
    ) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`nobody took a batch of events for ${longestWaitMs / 1000} seconds`);
      Atomics.wait(this.#taken, 0, taken, left);
    }
    this.#sent += 1;
    this.#port.postMessage({ batch: this.#pending } satisfies BatchMessage<T>);
    this.#pending = [];
  }
}

/** The owner's side: hands batches on one after the other, and says that they are taken. */
export function receiveBatches<T>(
  worker: Pick<Worker, 'on'>,
  counters: Counters,
  take: (batch: readonly T[]) => void | Promise<void>,
  fail: (error: Error) => void,
): { /** Resolves when all that came so far is handed on. */ settled(): Promise<void> } {
  const taken = new Int32Array(counters.taken);
  let last: Promise<void> = Promise.resolve();
  worker.on('message', (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('batch' in message)) return;
    const { batch } = message as BatchMessage<T>;
    last = last
      .then(() => take(batch))
      .catch((cause: unknown) => fail(cause instanceof Error ? cause : new Error(describeError(cause))))
      .then(() => {
        Atomics.add(taken, 0, 1);
        Atomics.notify(taken, 0);
      });
  });
  return { settled: () => last };
}
