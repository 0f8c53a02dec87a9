import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { asArray, asNumber, asObject, asString } from '../../base/json-shape.ts';
import { syncFolder } from './durable-file.ts';
import { ledgerLimits } from './limits.ts';
import { tryLock } from './lock.ts';
import type { SequenceRange } from './report.ts';
import { endOfLine, readBlocks, segmentOf, sizeOf } from './segments.ts';
import { hashLeafInPlace } from './tree.ts';

/**
 * Each writer keeps a file that says what it is writing and has not acknowledged yet, and holds a lock on it while it lives.
 * Whoever finds one that nobody holds knows of a writer that died, and which of its entries perhaps nobody was told about.
 */

interface UnderWay {
  readonly segment: number;
  readonly offset: number;
  readonly from: number;
  /** Leaf hashes of the batch. */
  readonly leaves: readonly string[];
}

const underWayMark = '+';
const idleMark = '-';
const recordBytes = ledgerLimits.batchEntries * 70 + 4096;

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

export class WriterRecord {
  readonly #path: string;
  #descriptor: number | null;
  readonly #boot = bootId();
  #isUnderWay = false;

  constructor(folder: string) {
    const writers = join(folder, 'writers');
    mkdirSync(writers, { recursive: true, mode: 0o700 });
    this.#path = join(writers, `${process.pid}-${randomBytes(4).toString('hex')}`);
    this.#descriptor = openSync(this.#path, 'wx', 0o600);
    try {
      tryLock(this.#descriptor);
      writeSync(this.#descriptor, `${idleMark}{"boot":${JSON.stringify(this.#boot)}}\n`, 0);
      // After a power cut it must be known that there was a writer.
      fsyncSync(this.#descriptor);
      syncFolder(writers);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  begin(underWay: UnderWay): void {
    if (this.#descriptor === null) return;
    writeSync(this.#descriptor, `${underWayMark}${JSON.stringify({ boot: this.#boot, ...underWay })}\n`, 0);
    this.#isUnderWay = true;
  }

  end(): void {
    if (this.#descriptor === null || !this.#isUnderWay) return;
    writeSync(this.#descriptor, idleMark, 0);
    this.#isUnderWay = false;
  }

  /** Leaves it for others to find. */
  abandon(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  remove(): void {
    if (this.#descriptor === null) return;
    rmSync(this.#path, { force: true });
    this.abandon();
  }
}

export interface DeadWriter {
  readonly path: string;
  readonly descriptor: number;
  readonly underWay: UnderWay | null;
  /** The machine went down with it: what it said is perhaps older than what it did. */
  readonly isOfOtherBoot: boolean;
}

/** Records that nobody holds. The caller has the lock of the ledger, and gives them back with `bury`. */
export function findDeadWriters(folder: string): readonly DeadWriter[] {
  const writers = join(folder, 'writers');
  if (sizeOf(writers) === null) return [];
  const boot = bootId();
  return readdirSync(writers).flatMap((name) => {
    const path = join(writers, name);
    const descriptor = openIfThere(path);
    if (descriptor === null) return [];
    if (!tryLock(descriptor)) {
      closeSync(descriptor);
      return [];
    }
    const buffer = Buffer.alloc(recordBytes);
    const text = buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, recordBytes, 0));
    const said = readRecord(text);
    return [{ path, descriptor, underWay: said.underWay, isOfOtherBoot: said.boot !== boot }];
  });
}

/** A writer that closes takes its record away, whoever has the lock. */
function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (sizeOf(path) === null) return null;
    throw error;
  }
}

function readRecord(text: string): { readonly boot: string; readonly underWay: UnderWay | null } {
  try {
    const value = asObject(JSON.parse(text.slice(1, text.indexOf('\n'))));
    const [segment, offset, from] = ['segment', 'offset', 'from'].map((name) => asNumber(value[name]));
    const leaves = asArray(value.leaves).filter((leaf) => typeof leaf === 'string');
    const isKnown = segment !== undefined && offset !== undefined && from !== undefined && text[0] === underWayMark;
    return { boot: asString(value.boot) ?? '', underWay: isKnown ? { segment, offset, from, leaves } : null };
  } catch {
    return { boot: '', underWay: null };
  }
}

/** Which entries of the batch are in the log: it may have been written in part, or not at all, and others may have gone on. */
export function entriesLeftBy(folder: string, underWay: UnderWay): SequenceRange | null {
  const segment = segmentOf(folder, underWay.segment);
  if (sizeOf(segment.path) === null) return null;
  const descriptor = openSync(segment.path, 'r');
  try {
    let found = 0;
    for (const block of readBlocks(descriptor, underWay.offset)) {
      if (block.isUnfinished) break;
      for (let start = block.start; start < block.end && found < underWay.leaves.length; found += 1) {
        const end = endOfLine(block, start);
        if (hashLeafInPlace(block.buffer, start, end) !== underWay.leaves[found]) return rangeOf(underWay.from, found);
        start = end + 1;
      }
      if (found === underWay.leaves.length) break;
    }
    return rangeOf(underWay.from, found);
  } finally {
    closeSync(descriptor);
  }
}

function rangeOf(from: number, count: number): SequenceRange | null {
  return count === 0 ? null : { from, to: from + count - 1 };
}

export function bury(writers: readonly DeadWriter[]): void {
  for (const { path, descriptor } of writers) {
    rmSync(path, { force: true });
    closeSync(descriptor);
  }
}

export function release(writers: readonly DeadWriter[]): void {
  for (const { descriptor } of writers) closeSync(descriptor);
}
