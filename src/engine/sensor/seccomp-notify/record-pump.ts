import { describeError } from '../../../base/errors.ts';
import { pageBytes, type RecordMemory, RecordTaker } from './record-memory.ts';

/**
 * Looks for records every few milliseconds and hands them on, one batch after the other. Nobody calls it when there are
 * some: to wake a thread takes the writer longer than to write, and callers wait for the writer. While more and more are
 * written it keeps out of the way of those who are being watched, for a while.
 */

const lookMs = 10;
const longestGatherMs = 100;
const gatherBytes = pageBytes / 2;
const batchBytes = 128 * 1024;

export interface PumpOptions {
  readonly memory: RecordMemory;
  readonly take: (chunk: Uint8Array) => void | Promise<void>;
  /** The writer stands in a call, and there was nothing new for a while. */
  readonly onQuiet: () => void;
}

export class RecordPump {
  readonly #taker: RecordTaker;
  readonly #options: PumpOptions;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  /** How much had been written when the last look was, and when all of it was handed on. */
  #seen = 0;
  #done = 0;
  #gatheringSinceMs: number | null = null;
  /** The first failure of whoever takes the records. What comes after it is offered all the same. */
  #error: Error | null = null;

  constructor(options: PumpOptions) {
    this.#options = options;
    this.#taker = new RecordTaker(options.memory);
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  #look(): void {
    const { written } = this.#taker;
    const isQuiet = written === this.#seen;
    this.#seen = written;
    if (isQuiet && this.#taker.isWriterStanding) this.#options.onQuiet();
    if (this.#running !== null || written === this.#done) return;
    this.#gatheringSinceMs ??= performance.now();
    const isDue = performance.now() - this.#gatheringSinceMs >= longestGatherMs || written - this.#done >= gatherBytes;
    if (!isQuiet && !isDue) return;
    this.#gatheringSinceMs = null;
    this.#done = written;
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
    for (let chunk = this.#taker.take(batchBytes); chunk !== null; chunk = this.#taker.take(batchBytes)) {
      try {
        await this.#options.take(chunk);
      } catch (cause) {
        this.#error ??= cause instanceof Error ? cause : new Error(describeError(cause));
      }
      this.#taker.release();
    }
  }

  /** To be called when the writer has ended: hands on the rest, and fails if anything could not be handed on. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    await this.#run();
    if (this.#error !== null) throw this.#error;
  }
}
