import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from './lock.ts';
import type { ProblemKind } from './report.ts';
import { endOfLine, type LineBlock, listSegments, readBlocks, type Segment, segmentOf, sizeOf } from './segments.ts';

/** Goes through all lines of a log from the first entry on. */

export interface WalkEnd {
  readonly kind: ProblemKind;
  readonly segment: Segment;
  readonly offset: number;
  readonly why: string;
}

/** `end` is where the line ends, its newline not included. False stops the walk. */
export type VisitLine = (block: LineBlock, start: number, end: number, segment: Segment, offset: number) => boolean;

/** A writer that is at work finishes its line within this many looks. */
const looks = 50;
const lookMs = 5;

/** Whoever writes holds the lock. Where there is none, or it cannot be had, this is a copy that nobody writes to. */
function isWriterAtWork(folder: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(join(folder, 'lock'), 'r');
  } catch {
    return false;
  }
  try {
    return !tryLock(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

class Walk {
  readonly #folder: string;
  readonly #visit: VisitLine;
  #lines = 0;
  #isStopped = false;

  constructor(folder: string, visit: VisitLine) {
    this.#folder = folder;
    this.#visit = visit;
  }

  async run(signal: AbortSignal | undefined): Promise<WalkEnd | null> {
    const first = listSegments(this.#folder)[0];
    if (first === undefined) return null;
    for (let segment = segmentOf(this.#folder, 0); ; segment = segmentOf(this.#folder, this.#lines)) {
      if (sizeOf(segment.path) === null)
        return { kind: 'missing', segment: first, offset: 0, why: `the log begins with entry ${first.first}` };
      const end = await this.#readSegment(segment, signal);
      if (end !== null || this.#isStopped) return end;
      if (this.#lines > segment.first && sizeOf(segmentOf(this.#folder, this.#lines).path) !== null) continue;
      return this.#leftOver(segment);
    }
  }

  /** Segments that do not continue from where the last one ended. */
  #leftOver(last: Segment): WalkEnd | null {
    const next = listSegments(this.#folder).find(({ first }) => first > last.first);
    if (next === undefined) return null;
    if (next.first > this.#lines)
      return { kind: 'missing', segment: next, offset: 0, why: `entries ${this.#lines} to ${next.first - 1} are gone` };
    return {
      kind: 'segment',
      segment: next,
      offset: 0,
      why: `a segment begins with entry ${next.first}, which another one has`,
    };
  }

  async #readSegment(segment: Segment, signal: AbortSignal | undefined): Promise<WalkEnd | null> {
    const descriptor = openSync(segment.path, 'r');
    try {
      let offset = 0;
      for (let look = 0; ; look += 1) {
        let unfinished = 0;
        for (const block of readBlocks(descriptor, offset)) {
          if (block.isUnfinished) unfinished = block.end - block.start;
          else offset = this.#readBlock(block, segment);
          if (this.#isStopped) return null;
          await nextTurn();
          signal?.throwIfAborted();
        }
        if (unfinished === 0) return null;
        const isAtWork = look < looks && isWriterAtWork(this.#folder);
        if (!isAtWork && sizeOf(segment.path) === offset + unfinished) {
          return { kind: 'torn', segment, offset, why: `a line of ${unfinished} bytes is not finished` };
        }
        if (isAtWork) await sleep(lookMs);
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** Where the block ends in the file. */
  #readBlock(block: LineBlock, segment: Segment): number {
    for (let start = block.start; start < block.end; ) {
      const end = endOfLine(block, start);
      if (!this.#visit(block, start, end, segment, block.offset + start - block.start)) {
        this.#isStopped = true;
        return 0;
      }
      this.#lines += 1;
      start = end + 1;
    }
    return block.offset + block.end - block.start;
  }
}

/** What the walk came to a halt at; null when it reached the end, or was stopped. */
export function walkLines(folder: string, visit: VisitLine, signal?: AbortSignal): Promise<WalkEnd | null> {
  return new Walk(folder, visit).run(signal);
}
