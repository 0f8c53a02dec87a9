import type { NetEvent } from '../event.ts';

/**
 * Events on their way to the parent. At most `windowBatches` are unacknowledged at any time; what comes after waits
 * here, and when enough waits, `put` makes the producer wait too, which stops it from reading its socket. So a slow
 * reader slows the box down, and nothing is lost and nothing grows.
 */

export interface Batch {
  readonly type: 'events';
  readonly id: number;
  readonly events: readonly NetEvent[];
}

const windowBatches = 4;
const batchBytes = 512 * 1024;
const batchEvents = 256;
const waitingBytes = 8 * 1024 * 1024;
/** Of an event without its bytes; exact enough for a bound. */
const overheadBytes = 512;

function weigh(event: NetEvent): number {
  return overheadBytes + (event.bytes?.base64.length ?? 0);
}

export class Outbox {
  readonly #send: (batch: Batch) => void;
  readonly #waiting: NetEvent[] = [];
  #waitingBytes = 0;
  #unacknowledged = 0;
  #nextBatch = 1;
  #hasTurn = false;
  #resume: (() => void)[] = [];
  #drained: (() => void)[] = [];

  constructor(send: (batch: Batch) => void) {
    this.#send = send;
  }

  /** Takes the event in any case; the promise says when the next one may come. */
  put(event: NetEvent): Promise<void> {
    this.#waiting.push(event);
    this.#waitingBytes += weigh(event);
    this.#flushSoon();
    if (this.#waitingBytes < waitingBytes) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resume.push(resolve);
    });
  }

  acknowledge(): void {
    this.#unacknowledged = Math.max(0, this.#unacknowledged - 1);
    this.#flush();
  }

  /** Resolves when everything has been acknowledged. */
  drain(): Promise<void> {
    this.#flush();
    if (this.#isEmpty()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  #isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#unacknowledged === 0;
  }

  /** Events of the same turn of the event loop travel together. */
  #flushSoon(): void {
    if (this.#hasTurn) return;
    this.#hasTurn = true;
    setImmediate(() => {
      this.#hasTurn = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#waiting.length > 0 && this.#unacknowledged < windowBatches) this.#sendBatch();
    if (this.#waitingBytes < waitingBytes) for (const resolve of this.#resume.splice(0)) resolve();
    if (this.#isEmpty()) for (const resolve of this.#drained.splice(0)) resolve();
  }

  #sendBatch(): void {
    let bytes = 0;
    let count = 0;
    for (const event of this.#waiting) {
      if (count > 0 && (bytes + weigh(event) > batchBytes || count >= batchEvents)) break;
      bytes += weigh(event);
      count += 1;
    }
    const events = this.#waiting.splice(0, count);
    this.#waitingBytes -= bytes;
    this.#unacknowledged += 1;
    this.#send({ type: 'events', id: this.#nextBatch, events });
    this.#nextBatch += 1;
  }
}
