import type { Writable } from 'node:stream';

/**
 * Writes messages one after the other in the order they were put, although some of them have to wait for something. Says
 * when it is full: whoever fills it stops reading until there is room, so a slow reader slows its neighbour and not us.
 */

export interface WriterLimits {
  readonly queuedMessages: number;
  readonly queuedBytes: number;
}

type Item = Buffer | Promise<Buffer | null>;

interface Queued {
  readonly item: Item;
  readonly size: number;
}

export class OrderedWriter {
  readonly #output: Writable;
  readonly #limits: WriterLimits;
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #isRunning = false;
  #isBlocked = false;
  #isBroken = false;
  #waiting: (() => void)[] = [];
  #drained: (() => void)[] = [];
  readonly #forget: () => void;
  writtenMessages = 0;
  writtenBytes = 0;

  constructor(output: Writable, limits: WriterLimits, onBroken: () => void) {
    this.#output = output;
    this.#limits = limits;
    const onDrain = (): void => {
      this.#isBlocked = false;
      this.#wake();
    };
    const onEnd = (): void => {
      if (this.#isBroken) return;
      this.close();
      onBroken();
    };
    output.on('drain', onDrain).on('error', onEnd).on('close', onEnd);
    this.#forget = () => void output.off('drain', onDrain).off('close', onEnd);
  }

  /** Nothing that is written now arrives. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  get isFull(): boolean {
    if (this.#isBroken) return false;
    const { queuedMessages, queuedBytes } = this.#limits;
    return this.#isBlocked || this.#queue.length >= queuedMessages || this.#queuedBytes >= queuedBytes;
  }

  /** What gives null was not to be written after all. It must not reject. `size` is what waits with it. */
  put(item: Item, size = Buffer.isBuffer(item) ? item.length : 0): void {
    if (this.#isBroken) return;
    if (this.#queue.length === 0 && !this.#isRunning && !this.#isBlocked && Buffer.isBuffer(item)) {
      this.#write(item);
      return;
    }
    this.#queue.push({ item, size });
    this.#queuedBytes += size;
    if (!this.#isRunning) void this.#run();
  }

  /** Resolves when more may be put. */
  async room(): Promise<void> {
    while (this.isFull) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  /** Resolves when everything is handed to the stream. */
  async flush(): Promise<void> {
    while (!this.#isBroken && (this.#queue.length > 0 || this.#isRunning))
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  close(): void {
    this.#isBroken = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#forget();
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#drained.splice(0)) resolve();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #write(bytes: Buffer): void {
    this.writtenMessages += 1;
    this.writtenBytes += bytes.length;
    if (!this.#output.write(bytes)) this.#isBlocked = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (!this.#isBroken) {
      const [next] = this.#queue;
      if (next === undefined) break;
      const bytes = Buffer.isBuffer(next.item) ? next.item : await next.item;
      while (this.#isBlocked && !this.#isBroken) await new Promise<void>((resolve) => void this.#drained.push(resolve));
      if (this.#isBroken) break;
      this.#queue.shift();
      this.#queuedBytes -= next.size;
      if (bytes !== null) this.#write(bytes);
      if (!this.isFull) for (const resolve of this.#waiting.splice(0)) resolve();
    }
    this.#isRunning = false;
    this.#wake();
  }
}
