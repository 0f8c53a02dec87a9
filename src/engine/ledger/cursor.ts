import { closeSync, openSync } from 'node:fs';
import { TargetError } from '../../base/errors.ts';
import type { StoredEntry } from './contract.ts';
import { isBadLine, type LineReading, readLine } from './line.ts';
import { endOfLine, listSegments, readBlocks, type Segment, segmentOf, sizeOf } from './segments.ts';
import { hashLeafInPlace } from './tree.ts';

/** One line that was read, and is good until the next one is asked for. */
export interface CursorLine {
  readonly reading: LineReading;
  readonly bytes: Buffer;
  readonly leaf: string;
}

export function damagedAt(segment: Segment, offset: number, why: string): TargetError {
  return new TargetError(`the ledger is damaged in ${segment.name} at byte ${offset}: ${why}`, {
    hint: 'hotcell audit verify',
  });
}

/** Only after the line was read strictly: then it has all the fields, of the right kinds. */
export function entryOf(bytes: Buffer): StoredEntry {
  return JSON.parse(bytes.toString('utf8')) as StoredEntry;
}

/** A place in the log from which one reads on, now and later. */
export class Cursor {
  readonly #folder: string;
  #segment: Segment;
  #offset: number;
  /** Sequence of the next line; null while that is not known. */
  #next: number | null;

  private constructor(folder: string, segment: Segment, offset: number, next: number | null) {
    this.#folder = folder;
    this.#segment = segment;
    this.#offset = offset;
    this.#next = next;
  }

  /** At the beginning of the segment that has this entry, or would have it. */
  static before(folder: string, sequence: number): Cursor {
    const segment = listSegments(folder).findLast(({ first }) => first <= sequence) ?? segmentOf(folder, 0);
    return new Cursor(folder, segment, 0, segment.first);
  }

  /** All whole lines there are. An unfinished one at the very end is somebody's who is at it. */
  *read(): Generator<CursorLine> {
    while (sizeOf(this.#segment.path) !== null) {
      yield* this.#readSegment();
      const next = this.#next === null ? this.#segment : segmentOf(this.#folder, this.#next);
      if (next.first === this.#segment.first) return;
      if (sizeOf(next.path) === null) {
        const later = listSegments(this.#folder).find(
          ({ first }) => first > this.#segment.first && first !== next.first,
        );
        if (later !== undefined) throw damagedAt(later, 0, `it does not begin with entry ${next.first}`);
        return;
      }
      [this.#segment, this.#offset] = [next, 0];
    }
  }

  *#readSegment(): Generator<CursorLine> {
    const descriptor = openSync(this.#segment.path, 'r');
    try {
      for (const block of readBlocks(descriptor, this.#offset)) {
        if (block.isUnfinished) return;
        for (let start = block.start; start < block.end; ) {
          const end = endOfLine(block, start);
          const bytes = block.buffer.subarray(start, end);
          const reading = readLine(bytes);
          if (isBadLine(reading)) throw damagedAt(this.#segment, this.#offset, reading.why);
          if (this.#next !== null && reading.sequence !== this.#next) {
            throw damagedAt(
              this.#segment,
              this.#offset,
              `entry ${reading.sequence} stands where entry ${this.#next} belongs`,
            );
          }
          const leaf = hashLeafInPlace(block.buffer, start, end);
          this.#offset += end + 1 - start;
          this.#next = reading.sequence + 1;
          start = end + 1;
          yield { reading, bytes, leaf };
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }
}
