import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HostError } from '../../base/errors.ts';
import { syncFolder, writeAll } from './durable-file.ts';
import type { Hint } from './hint.ts';
import { ledgerLimits } from './limits.ts';
import { isBadLine, readLine, seemsToFollow } from './line.ts';
import { endOfLine, listSegments, readBlocks, type Segment, segmentOf, sizeOf } from './segments.ts';
import { Frontier, hashLeafInPlace, noLeaf } from './tree.ts';

const synchronise = promisify(fdatasync);

/** What a writer that crashed left behind the last whole entry. */
export interface TornTail {
  readonly segment: Segment;
  readonly offset: number;
  readonly bytes: number;
  readonly why: string;
}

/** The entries on the disk, and the tree over them as far as it has been read. Whoever writes holds the lock. */
export class Log {
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #quickSyncMs: number;
  #segment: Segment;
  /** How long the last one took; a slow disk is not waited for on this thread. */
  #lastSyncMs = Number.POSITIVE_INFINITY;
  #descriptor: number;
  /** How far the segment is read: the end of a whole, good line. */
  #offset = 0;
  #lineOffset = 0;
  #frontier = new Frontier();
  #leaf = noLeaf;
  #isStrict = true;

  constructor(
    folder: string,
    { segmentBytes, quickSyncMs }: { readonly segmentBytes: number; readonly quickSyncMs: number },
  ) {
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    this.#quickSyncMs = quickSyncMs;
    const first = listSegments(folder)[0];
    if (first !== undefined && first.first !== 0) {
      throw new HostError(`the ledger begins with entry ${first.first}: what was before it is gone`);
    }
    this.#segment = segmentOf(folder, 0);
    this.#descriptor = openSegment(this.#segment);
    if (first === undefined) syncFolder(folder);
  }

  get size(): number {
    return this.#frontier.size;
  }

  get leaf(): string {
    return this.#leaf;
  }

  get segment(): Segment {
    return this.#segment;
  }

  get offset(): number {
    return this.#offset;
  }

  get descriptor(): number {
    return this.#descriptor;
  }

  root(): string {
    return this.#frontier.root();
  }

  hint(): Hint {
    const { size, parts } = this.#frontier;
    const [lineOffset, offset] = [this.#lineOffset, this.#offset];
    return { size, parts, segment: this.#segment.first, lineOffset, offset, leaf: this.#leaf };
  }

  /** Goes on from a hint whose tree is vouched for. False when the files do not fit it; then nothing has changed. */
  skipTo(hint: Hint, frontier: Frontier): boolean {
    if (hint.size === 0) return true;
    const segment = segmentOf(this.#folder, hint.segment);
    const bytes = hint.offset - hint.lineOffset;
    const isPossible = bytes > 0 && bytes <= ledgerLimits.lineBytes && (sizeOf(segment.path) ?? 0) >= hint.offset;
    if (!isPossible) return false;
    const descriptor = openSegment(segment);
    const buffer = Buffer.alloc(1 + bytes);
    const read = readSync(descriptor, buffer, 1, bytes, hint.lineOffset);
    const line = readLine(buffer.subarray(1, bytes));
    if (read !== bytes || buffer[bytes] !== 10 || isBadLine(line) || line.sequence !== hint.size - 1) {
      closeSync(descriptor);
      return false;
    }
    closeSync(this.#descriptor);
    [this.#segment, this.#descriptor, this.#frontier] = [segment, descriptor, frontier.copy()];
    [this.#offset, this.#lineOffset] = [hint.offset, hint.lineOffset];
    this.#leaf = hashLeafInPlace(buffer, 1, bytes);
    return true;
  }

  /** From now on only other writers that are alive add to the log: each of their lines is whole, or is the last one. */
  trustWriters(): void {
    this.#isStrict = false;
  }

  /**
   * Reads what others wrote while nobody is kept waiting, a piece at a time when it is much. Stops before anything doubtful:
   * that is for `catchUp`. A little is read quicker than two turns of the event loop take, so `catchUp` does that too.
   */
  async approach(): Promise<void> {
    if (!this.#isStrict && fstatSync(this.#descriptor).size - this.#offset < ledgerLimits.littleBytes) return;
    for (let size = fstatSync(this.#descriptor).size; size > this.#offset; size = fstatSync(this.#descriptor).size) {
      const [before, to] = [this.#frontier.size, Math.min(size, this.#offset + ledgerLimits.catchUpBytes)];
      const isDoubtful = this.#readOn(to) !== null;
      if (this.#frontier.size === before && isDoubtful) return;
      if (this.#offset === size && !this.#moveOn()) return;
      await nextTurn();
    }
  }

  /** Reads all that others wrote. Needs the lock. */
  catchUp(): TornTail | null {
    while (true) {
      const size = fstatSync(this.#descriptor).size;
      if (size < this.#offset) {
        throw new HostError(`${this.#segment.name} has become shorter: entries were taken away`, {
          hint: 'hotcell audit verify',
        });
      }
      const why = size > this.#offset ? this.#readOn(size) : null;
      if (why !== null) {
        return { segment: this.#segment, offset: this.#offset, bytes: size - this.#offset, why };
      }
      if (!this.#moveOn()) return null;
    }
  }

  #hasNext(): boolean {
    const next = segmentOf(this.#folder, this.#frontier.size);
    return next.first !== this.#segment.first && sizeOf(next.path) !== null;
  }

  #moveOn(): boolean {
    if (!this.#hasNext()) return false;
    this.#use(segmentOf(this.#folder, this.#frontier.size));
    return true;
  }

  #use(segment: Segment): void {
    const descriptor = openSegment(segment);
    closeSync(this.#descriptor);
    [this.#segment, this.#descriptor, this.#offset, this.#lineOffset] = [segment, descriptor, 0, 0];
  }

  /** Why it did not get as far as `to`; null when it did. */
  #readOn(to: number): string | null {
    for (const block of readBlocks(this.#descriptor, this.#offset, to)) {
      if (block.isUnfinished) return 'the last line is not finished';
      for (let start = block.start; start < block.end; ) {
        const end = endOfLine(block, start);
        const why = this.#doubtAbout(block.buffer.subarray(start, end));
        if (why !== null) return why;
        this.#take(hashLeafInPlace(block.buffer, start, end), end + 1 - start);
        start = end + 1;
      }
    }
    return null;
  }

  #doubtAbout(bytes: Buffer): string | null {
    if (!this.#isStrict && seemsToFollow(bytes, this.#frontier.size, this.#leaf)) return null;
    const line = readLine(bytes);
    if (isBadLine(line)) return line.why;
    if (line.sequence !== this.#frontier.size) return 'the sequence number does not continue';
    return line.previous === this.#leaf ? null : 'it does not name the entry before it';
  }

  #take(leaf: string, bytes: number): void {
    this.#leaf = leaf;
    this.#frontier.push(leaf);
    this.#lineOffset = this.#offset;
    this.#offset += bytes;
  }

  /** Begins the next segment when this one is full. Needs the lock, and to be caught up. */
  async makeRoom(): Promise<void> {
    if (this.#offset < this.#segmentBytes || this.#frontier.size === this.#segment.first) return;
    // Nothing of the new segment may be on the disk before all of the old one is.
    await this.sync();
    this.#use(segmentOf(this.#folder, this.#frontier.size));
    syncFolder(this.#folder);
  }

  /** One write for all lines, whose ends and leaves the caller has made. Needs the lock. */
  write(bytes: Buffer, lines: readonly { readonly leaf: string; readonly bytes: number }[]): void {
    writeAll(this.#descriptor, bytes);
    for (const line of lines) this.#take(line.leaf, line.bytes);
  }

  /** Everything that is in the segment now is on the disk when this resolves. */
  async sync(): Promise<void> {
    const started = performance.now();
    // A quick disk has it done before another thread would have been woken for it.
    if (this.#lastSyncMs <= this.#quickSyncMs) fdatasyncSync(this.#descriptor);
    else await synchronise(this.#descriptor);
    this.#lastSyncMs = performance.now() - started;
  }

  syncNow(): void {
    fdatasyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function openSegment(segment: Segment): number {
  return openSync(segment.path, 'a+', 0o600);
}
