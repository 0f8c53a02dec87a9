import { fstatSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerLimits } from './limits.ts';

/** Files of entries, and the lines in them. */

export interface Segment {
  readonly name: string;
  readonly path: string;
  /** Sequence of its first entry. */
  readonly first: number;
}

export function segmentOf(folder: string, first: number): Segment {
  const name = `entries-${String(first).padStart(12, '0')}.ndjson`;
  return { name, path: join(folder, name), first };
}

const pattern = /^entries-(\d{12})\.ndjson$/;

/** Oldest first. Names that are not ours are left out. */
export function listSegments(folder: string): readonly Segment[] {
  const firsts = readdirSync(folder).flatMap((name) => pattern.exec(name)?.[1] ?? []);
  return firsts.map((first) => segmentOf(folder, Number(first))).sort((left, right) => left.first - right.first);
}

export function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

/** Whole lines, each with its end; or what is left at the end of the file, or a line that is too long. */
export interface LineBlock {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  /** Where `start` is in the file. */
  readonly offset: number;
  readonly isUnfinished: boolean;
}

const newline = 10;

/**
 * Reads from `from` to the end as it is when it gets there. Before `start` there is always a byte that whoever hashes may
 * overwrite. A block is good until the next one is asked for.
 */
export function* readBlocks(descriptor: number, from: number, to = Number.POSITIVE_INFINITY): Generator<LineBlock> {
  const expected = Math.min(to, fstatSync(descriptor).size) - from;
  const room = Math.min(ledgerLimits.chunkBytes, Math.max(expected, 1));
  const buffer = Buffer.allocUnsafe(1 + Math.min(ledgerLimits.lineBytes, room) + room);
  let [position, kept] = [from, 0];
  while (true) {
    const wanted = Math.min(room, to - position);
    const read = wanted > 0 ? readSync(descriptor, buffer, 1 + kept, wanted, position) : 0;
    const filled = 1 + kept + read;
    const offset = position - kept;
    position += read;
    const end = buffer.subarray(0, filled).lastIndexOf(newline) + 1;
    if (end > 1) yield { buffer, start: 1, end, offset, isUnfinished: false };
    const rest = Math.max(end, 1);
    kept = filled - rest;
    const isUnfinished = kept > 0 && (read === 0 || kept >= ledgerLimits.lineBytes);
    if (isUnfinished) yield { buffer, start: rest, end: filled, offset: offset + rest - 1, isUnfinished };
    if (read === 0 || isUnfinished) return;
    buffer.copyWithin(1, rest, filled);
  }
}

/** Where the line that begins at `start` ends, its newline not included. */
export function endOfLine(block: LineBlock, start: number): number {
  return block.buffer.indexOf(newline, start);
}
