import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json-shape.ts';
import type { LedgerEntry } from './contract.ts';
import { syncFolder, writeAll } from './durable-file.ts';
import { ledgerLimits } from './limits.ts';
import type { Log, TornTail } from './log.ts';
import { segmentOf, sizeOf } from './segments.ts';
import { bury, type DeadWriter, entriesLeftBy, findDeadWriters, release } from './writers.ts';

/** What the next writer does about one that crashed: nothing is thrown away, and the log itself says what happened. */

export function stampOf(date: Date): string {
  return date.toISOString().replaceAll(/[-:.]/g, '');
}

function* piecesOf(
  descriptor: number,
  from: number,
  to: number,
): Generator<{ readonly bytes: Buffer; readonly at: number }> {
  const buffer = Buffer.allocUnsafe(Math.min(ledgerLimits.chunkBytes, Math.max(to - from, 0)));
  for (let at = from; at < to; ) {
    const read = readSync(descriptor, buffer, 0, Math.min(buffer.length, to - at), at);
    if (read === 0) return;
    yield { bytes: buffer.subarray(0, read), at };
    at += read;
  }
}

/** Copies the tail into a file of its own, and only then cuts it off. */
function moveTailAside(folder: string, log: Log, torn: TornTail): JsonObject {
  const file = `torn-${String(log.size).padStart(12, '0')}-${stampOf(new Date())}`;
  const digest = createHash('sha256');
  let lines = 0;
  const descriptor = openSync(join(folder, file), 'wx', 0o600);
  try {
    for (const { bytes } of piecesOf(log.descriptor, torn.offset, torn.offset + torn.bytes)) {
      writeAll(descriptor, bytes);
      digest.update(bytes);
      for (const byte of bytes) lines += byte === 10 ? 1 : 0;
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(folder);
  ftruncateSync(log.descriptor, torn.offset);
  fsyncSync(log.descriptor);
  const { bytes, offset, segment, why } = torn;
  return { file, bytes, lines, sha256: digest.digest('hex'), segment: segment.name, offset, why };
}

/** Somebody moved it aside, and crashed before the log could say so. */
function droppedBefore(folder: string, size: number): JsonObject | undefined {
  const prefix = `torn-${String(size).padStart(12, '0')}-`;
  const file = readdirSync(folder).find((name) => name.startsWith(prefix));
  return file === undefined
    ? undefined
    : { file, bytes: sizeOf(join(folder, file)), why: 'an earlier recovery was interrupted' };
}

/** A failed fsync leaves pages that the kernel takes for written. Written once more, they are on the disk with the next one. */
function writeAgain(folder: string, first: number, from: number): void {
  const { path } = segmentOf(folder, first);
  const size = sizeOf(path);
  if (size === null) return;
  const descriptor = openSync(path, 'r+');
  try {
    for (const { bytes, at } of piecesOf(descriptor, from, size)) writeSync(descriptor, bytes, 0, bytes.length, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function rangesOf(folder: string, dead: readonly DeadWriter[], size: number, covered: number): JsonObject[] {
  const ranges = dead.flatMap(({ underWay, isOfOtherBoot }) => {
    if (isOfOtherBoot) return size > covered ? [{ from: covered, to: size - 1 }] : [];
    if (underWay === null) return [];
    const range = entriesLeftBy(folder, underWay);
    if (range !== null) writeAgain(folder, underWay.segment, underWay.offset);
    return range ?? [];
  });
  return [...new Map(ranges.map(({ from, to }) => [`${from}-${to}`, { from, to }])).values()];
}

export interface Recovery {
  /** To be appended first; null when there is nothing to tell. */
  readonly entry: LedgerEntry | null;
  /** When that entry is on the disk. */
  readonly finish: () => void;
  /** When it could not be written: the next one finds what this one found. */
  readonly giveUp: () => void;
}

export interface RecoverySituation {
  readonly folder: string;
  readonly log: Log;
  readonly torn: TornTail | null;
  /** Size of the newest checkpoint: what it vouches for was on the disk, so no crash can have taken it. */
  readonly covered: number;
  readonly session: string;
}

/** Needs the lock, and a log that is caught up as far as it goes. */
export function recover({ folder, log, torn, covered, session }: RecoverySituation): Recovery {
  if (log.size < covered) {
    throw new HostError(`the ledger is damaged at entry ${log.size}: a checkpoint vouches for ${covered} entries`, {
      hint: 'hotcell audit verify says what is wrong; to go on, move the folder of the ledger aside',
    });
  }
  const dead = findDeadWriters(folder);
  const unacknowledged = rangesOf(folder, dead, log.size, covered);
  const dropped = torn === null ? droppedBefore(folder, log.size) : moveTailAside(folder, log, torn);
  const isQuiet = dropped === undefined && unacknowledged.length === 0;
  const details = {
    ...(dropped === undefined ? {} : { dropped }),
    ...(unacknowledged.length === 0 ? {} : { unacknowledged }),
  };
  const entry: LedgerEntry = { instrument: 'hotcell', action: 'ledger.recover', verdict: 'noted', session, details };
  return { entry: isQuiet ? null : entry, finish: () => bury(dead), giveUp: () => release(dead) };
}
