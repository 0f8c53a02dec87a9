/**
 * Memory that the serving thread writes records to and its owner reads them from, without a message between them: the
 * thread may stand in a call, and its records are there all the same. It has a few pages of equal size. The writer fills
 * one after the other and stands still when the reader has not freed the next: nothing is dropped.
 */

const pageCount = 4;
export const pageBytes = 1024 * 1024;
/** A writer that waits this long has a reader that is stuck. */
const longestWaitMs = 120_000;

/** Places in the array of marks; behind them, per page, how many bytes of it are to be read. */
const writtenAt = 0;
const freedAt = 1;
const standingAt = 2;
const filledAt = 3;

export interface RecordMemory {
  readonly records: SharedArrayBuffer;
  readonly marks: SharedArrayBuffer;
}

export function createRecordMemory(): RecordMemory {
  return {
    records: new SharedArrayBuffer(pageCount * pageBytes),
    marks: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (filledAt + pageCount)),
  };
}

/** The writer's side: where the current page is, and how far it is filled. */
export class PageWriter {
  readonly #marks: Int32Array;
  /** Pages that are full. */
  #written = 0;

  constructor({ marks }: RecordMemory) {
    this.#marks = new Int32Array(marks);
  }

  /** Where the page begins. */
  get start(): number {
    return (this.#written % pageCount) * pageBytes;
  }

  /** Up to here, from the beginning of all memory, there are whole records. */
  publish(end: number): void {
    Atomics.store(this.#marks, filledAt + (this.#written % pageCount), end - this.start);
  }

  /** The writer is in a call that only an interruption or a caller ends. */
  setStanding(isStanding: boolean): void {
    Atomics.store(this.#marks, standingAt, isStanding ? 1 : 0);
  }

  /** Goes on to the next page; blocks while that is still being read. False when nobody reads. */
  turn(): boolean {
    const lastMs = performance.now() + longestWaitMs;
    for (;;) {
      const freed = Atomics.load(this.#marks, freedAt);
      if (this.#written + 1 - freed < pageCount) break;
      const left = lastMs - performance.now();
      if (left <= 0) return false;
      Atomics.wait(this.#marks, freedAt, freed, left);
    }
    this.#written += 1;
    Atomics.store(this.#marks, filledAt + (this.#written % pageCount), 0);
    Atomics.store(this.#marks, writtenAt, this.#written);
    return true;
  }
}

/** The reader's side. */
export class RecordTaker {
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #marks: Int32Array;
  #freed = 0;
  /** In the page. */
  #at = 0;
  #takenTo = 0;

  constructor({ records, marks }: RecordMemory) {
    this.#bytes = new Uint8Array(records);
    this.#words = new Uint32Array(records);
    this.#marks = new Int32Array(marks);
  }

  get isWriterStanding(): boolean {
    return Atomics.load(this.#marks, standingAt) === 1;
  }

  /** Grows with every record, and is the same when nothing was written. */
  get written(): number {
    const page = Atomics.load(this.#marks, writtenAt);
    return page * pageBytes + Atomics.load(this.#marks, filledAt + (page % pageCount));
  }

  /** A copy of the next whole records, about `mostBytes` of them; null when there are none. */
  take(mostBytes: number): Uint8Array | null {
    for (;;) {
      const page = this.#freed % pageCount;
      // In this order: of a page that the writer has left, all is there.
      const isLeft = Atomics.load(this.#marks, writtenAt) > this.#freed;
      const filled = Atomics.load(this.#marks, filledAt + page);
      if (this.#at < filled) {
        const start = page * pageBytes;
        this.#takenTo = this.#endOfRecords(start, filled, mostBytes);
        const copy = new Uint8Array(this.#takenTo - this.#at);
        copy.set(this.#bytes.subarray(start + this.#at, start + this.#takenTo));
        return copy;
      }
      if (!isLeft) return null;
      this.#freed += 1;
      this.#at = 0;
      this.#takenTo = 0;
      Atomics.store(this.#marks, freedAt, this.#freed);
      Atomics.notify(this.#marks, freedAt);
    }
  }

  /** What was taken last is done with. */
  release(): void {
    this.#at = this.#takenTo;
  }

  /** Records begin with their length. */
  #endOfRecords(start: number, filled: number, mostBytes: number): number {
    if (filled - this.#at <= mostBytes) return filled;
    let end = this.#at;
    while (end < filled && end - this.#at < mostBytes) end += this.#words[(start + end) / 4] ?? filled;
    return Math.min(end, filled);
  }
}
