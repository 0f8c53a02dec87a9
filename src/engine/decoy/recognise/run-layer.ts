import type { Budget } from './budget.ts';
import type { RunKind } from './run-kinds.ts';
import type { Layer, OpenSink, PlaceRegion, Sink } from './scanner.ts';

/** Digits that are decoded at a time; a multiple of every group. */
const pieceDigits = 16 * 1024;
/** Lines at least so long may be the lines of one wrapped text. */
const shortestLine = 32;
const carriageReturn = 13;
const lineFeed = 10;
const separator = Buffer.from([0]);
const zero = 0x30;
const letterX = 0x78;

/** One run while it grows. */
class Run {
  readonly #kind: RunKind;
  readonly #budget: Budget;
  readonly #open: OpenSink;
  #digits: Buffer = Buffer.allocUnsafe(64);
  #size = 0;
  #sinks: readonly Sink[] | null = null;
  #previous = 0;
  lineBytes = 0;

  constructor(kind: RunKind, budget: Budget, open: OpenSink) {
    this.#kind = kind;
    this.#budget = budget;
    this.#open = open;
  }

  add(bytes: Buffer, start: number, end: number): void {
    this.#makeRoom(end - start);
    const { member } = this.#kind;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (member[byte] === 1) {
        this.#digits[this.#size] = byte;
        this.#size += 1;
      } else if ((byte | 0x20) === letterX && this.#previous === zero && this.#size > 0) {
        // The 0 of 0x41 is no digit of it.
        this.#size -= 1;
      }
      this.#previous = byte;
    }
    while (this.#size >= pieceDigits + this.#kind.group) this.#pour(pieceDigits, pieceDigits);
  }

  #makeRoom(more: number): void {
    if (this.#size + more <= this.#digits.length) return;
    const larger = Buffer.allocUnsafe((this.#size + more) * 2);
    this.#digits.copy(larger, 0, 0, this.#size);
    this.#digits = larger;
  }

  /** Decodes `count` digits from each digit that a group may begin with, and lets go of the first `drop`. */
  #pour(count: number, drop: number): void {
    const { group, decode, isPlausible, encoding } = this.#kind;
    if (isPlausible(this.#digits.subarray(0, this.#size)) && this.#budget.spend(count * group)) {
      this.#sinks ??= Array.from({ length: group }, (_, shift) =>
        this.#open(encoding, shift === 0 ? 'known' : 'guessed'),
      );
      this.#sinks.forEach((sink, shift) => {
        sink.feed(decode(this.#digits.subarray(shift, Math.min(this.#size, shift + count))));
      });
    }
    this.#digits.copyWithin(0, drop, this.#size);
    this.#size -= drop;
  }

  /** Most runs are short: all that they may decode to goes into one sink, with a byte between that ends anything. */
  #pourAtOnce(): void {
    const { group, decode, isPlausible, encoding } = this.#kind;
    const digits = this.#digits.subarray(0, this.#size);
    if (!isPlausible(digits) || !this.#budget.spend(digits.length * group)) return;
    const readings = Array.from({ length: group }, (_, shift) => [decode(digits.subarray(shift)), separator]);
    const sink = this.#open(encoding, 'known');
    sink.feed(Buffer.concat(readings.flat()));
    sink.end();
  }

  end(): void {
    if (this.#sinks === null) {
      if (this.#size >= this.#kind.shortest) this.#pourAtOnce();
      return;
    }
    this.#pour(this.#size, this.#size);
    for (const sink of this.#sinks) sink.end();
  }
}

/**
 * Finds long runs of one alphabet and decodes them as they grow. A run of n digits covers every n-th byte, so only
 * every n-th byte is looked at until one of them is a digit.
 */
export class RunLayer implements Layer {
  readonly #kind: RunKind;
  readonly #budget: Budget;
  readonly #place: PlaceRegion;
  #run: Run | null = null;

  constructor(kind: RunKind, budget: Budget, place: PlaceRegion) {
    this.#kind = kind;
    this.#budget = budget;
    this.#place = place;
  }

  feed(bytes: Buffer, from: number): void {
    const { member, shortest } = this.#kind;
    const total = bytes.length;
    let done = from;
    if (this.#run !== null) done = this.#follow(this.#run, bytes, from);
    let at = done + shortest - 1;
    while (this.#run === null && at < total) {
      if (member[bytes[at] as number] === 0) {
        at += shortest;
        continue;
      }
      const start = this.#goBack(bytes, at, done);
      done = this.#begin(bytes, start, at);
      at = done + shortest;
    }
    if (this.#run !== null || done >= total) return;
    const start = this.#goBack(bytes, total, done);
    if (start < total) this.#begin(bytes, start, total);
  }

  #goBack(bytes: Buffer, at: number, least: number): number {
    const { member } = this.#kind;
    let start = at;
    while (start > least && member[bytes[start - 1] as number] !== 0) start -= 1;
    return start;
  }

  /** Most candidates turn out too short: those cost no object. */
  #begin(bytes: Buffer, start: number, at: number): number {
    const { member, shortest } = this.#kind;
    const total = bytes.length;
    let end = at;
    while (end < total && member[bytes[end] as number] !== 0) end += 1;
    if (end < total && end - start < shortest) return end;
    this.#run = new Run(this.#kind, this.#budget, this.#place(start));
    return this.#follow(this.#run, bytes, start);
  }

  /** Takes in what belongs to the run; returns where it ended. */
  #follow(run: Run, bytes: Buffer, from: number): number {
    const { member } = this.#kind;
    const total = bytes.length;
    let start = from;
    for (;;) {
      let end = start;
      while (end < total && member[bytes[end] as number] !== 0) end += 1;
      run.add(bytes, start, end);
      run.lineBytes += end - start;
      if (end === total) return end;
      const byte = bytes[end];
      if ((byte !== carriageReturn && byte !== lineFeed) || run.lineBytes < shortestLine) {
        this.#run = null;
        run.end();
        return end;
      }
      if (byte === lineFeed) run.lineBytes = 0;
      start = end + 1;
    }
  }

  end(): void {
    this.#run?.end();
    this.#run = null;
  }
}
