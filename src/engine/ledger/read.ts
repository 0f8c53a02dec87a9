import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../base/errors.ts';
import { Cursor, damagedAt, entryOf } from './cursor.ts';
import { ledgerLimits } from './limits.ts';
import { isBadLine, type LineReading, readLine } from './line.ts';
import type { FollowOptions, ReadEntry, ReadFilter } from './report.ts';
import { listSegments, type Segment, sizeOf } from './segments.ts';
import { hashLeafInPlace } from './tree.ts';

/** Entries for people and programs that look into the log. Nothing is verified here but the form of each line. */

const linesPerTurn = 2000;

function checkFilter({ since, limit, fromSequence }: ReadFilter): void {
  if (since !== undefined && Number.isNaN(Date.parse(since)))
    throw new UsageError('since is no time', { hint: 'for example 2026-01-31T12:00:00Z' });
  const numbers = [limit, fromSequence].filter((number) => number !== undefined);
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0))
    throw new UsageError('limits and sequence numbers are whole and not below 0');
}

/** What can be said without building the entry. */
function isWorthReading(reading: LineReading, filter: ReadFilter, since: string): boolean {
  if (reading.sequence < (filter.fromSequence ?? 0) || reading.wall < since) return false;
  return filter.action === undefined || filter.action === reading.action;
}

function takeEntry(bytes: Buffer, leaf: string, filter: ReadFilter): ReadEntry | null {
  const entry = entryOf(bytes);
  const { server, verdict, session } = filter;
  const isWanted =
    (server === undefined || entry.server === server) &&
    (verdict === undefined || entry.verdict === verdict) &&
    (session === undefined || entry.session === session);
  return isWanted ? { entry, leaf } : null;
}

function sinceOf(filter: ReadFilter): string {
  return filter.since === undefined ? '' : new Date(filter.since).toISOString();
}

export async function* readEntries(folder: string, filter: ReadFilter = {}): AsyncGenerator<ReadEntry> {
  checkFilter(filter);
  if (sizeOf(folder) === null) return;
  const since = sinceOf(filter);
  let left = filter.limit ?? Number.POSITIVE_INFINITY;
  let lines = 0;
  const found =
    filter.newestFirst === true ? readBackwards(folder) : Cursor.before(folder, filter.fromSequence ?? 0).read();
  for (const { reading, bytes, leaf } of found) {
    if (left <= 0) return;
    if (filter.newestFirst === true && reading.sequence < (filter.fromSequence ?? 0)) return;
    if (isWorthReading(reading, filter, since)) {
      const entry = takeEntry(bytes, leaf, filter);
      if (entry !== null) {
        left -= 1;
        yield entry;
      }
    }
    lines += 1;
    if (lines % linesPerTurn === 0) await nextTurn();
  }
}

/** New entries as they come, until the signal says stop. Begins at the end, or where `fromSequence` or `since` say. */
export async function* followEntries(folder: string, options: FollowOptions): AsyncGenerator<ReadEntry> {
  checkFilter(options);
  const { signal, ...filter } = options;
  const isFromEnd = filter.fromSequence === undefined && filter.since === undefined;
  const newest = isFromEnd ? newestSequence(folder) : undefined;
  const fromSequence = newest === undefined ? (filter.fromSequence ?? 0) : newest + 1;
  const since = sinceOf(filter);
  let cursor: Cursor | null = null;
  while (!signal.aborted) {
    cursor ??= sizeOf(folder) === null ? null : Cursor.before(folder, fromSequence);
    for (const { reading, bytes, leaf } of cursor?.read() ?? []) {
      if (!isWorthReading(reading, { ...filter, fromSequence }, since)) continue;
      const entry = takeEntry(bytes, leaf, filter);
      if (entry !== null) yield entry;
      if (signal.aborted) return;
    }
    await sleep(ledgerLimits.followPollMs, undefined, { signal }).catch(() => undefined);
  }
}

function newestSequence(folder: string): number | undefined {
  if (sizeOf(folder) === null) return undefined;
  for (const { reading } of readBackwards(folder)) return reading.sequence;
  return undefined;
}

interface BackwardLine {
  readonly reading: LineReading;
  readonly bytes: Buffer;
  readonly leaf: string;
}

function* readBackwards(folder: string): Generator<BackwardLine> {
  for (const segment of listSegments(folder).toReversed()) yield* readSegmentBackwards(segment);
}

function* readSegmentBackwards(segment: Segment): Generator<BackwardLine> {
  const descriptor = openSync(segment.path, 'r');
  try {
    let to = fstatSync(descriptor).size;
    // Of the line whose beginning has not been read yet.
    let rest: Buffer = Buffer.alloc(0);
    let isEnd = true;
    while (to > 0) {
      const from = Math.max(0, to - ledgerLimits.chunkBytes);
      const bytes = Buffer.alloc(1 + to - from + rest.length);
      readSync(descriptor, bytes, 1, to - from, from);
      rest.copy(bytes, 1 + to - from);
      let end = bytes.length;
      // Whoever is writing right now has not finished the last line.
      if (isEnd) end = bytes.lastIndexOf(10) + 1;
      isEnd = false;
      while (end > 1) {
        const start = bytes.lastIndexOf(10, end - 2) + 1;
        if (start === 0 && from > 0) break;
        const begin = Math.max(start, 1);
        yield takeBackwards(bytes, begin, end - 1, segment, from + begin - 1);
        end = begin;
      }
      rest = Buffer.from(bytes.subarray(1, Math.max(end, 1)));
      if (rest.length > ledgerLimits.lineBytes) throw damagedAt(segment, from, 'a line is longer than a line can be');
      to = from;
    }
  } finally {
    closeSync(descriptor);
  }
}

function takeBackwards(buffer: Buffer, start: number, end: number, segment: Segment, offset: number): BackwardLine {
  const bytes = buffer.subarray(start, end);
  const reading = readLine(bytes);
  if (isBadLine(reading)) throw damagedAt(segment, offset, reading.why);
  const kept = buffer[start - 1] ?? 0;
  const leaf = hashLeafInPlace(buffer, start, end);
  // Backwards, the byte before a line is still needed.
  buffer[start - 1] = kept;
  return { reading, bytes, leaf };
}
