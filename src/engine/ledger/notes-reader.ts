import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint, type SignedCheckpoint, splitNotes, toCheckpoint } from './checkpoint.ts';
import { checkpointsName } from './checkpoint-file.ts';
import type { Checkpoint } from './contract.ts';
import { ledgerLimits } from './limits.ts';
import { sizeOf } from './segments.ts';

/** A note as it stands in the file; `checkpoint` is null when it is none. */
export interface FoundNote {
  readonly checkpoint: SignedCheckpoint | null;
  readonly offset: number;
}

/** All notes, oldest first, without holding them all. What is behind the last whole one counts as one that is none. */
export function* readNotes(path: string): Generator<FoundNote> {
  if (sizeOf(path) === null) return;
  const descriptor = openSync(path, 'r');
  try {
    // What is written from now on is about entries that a reader perhaps does not see.
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, 4 * ledgerLimits.noteBytes));
    for (let from = 0; from < size; ) {
      const length = readSync(descriptor, buffer, 0, Math.min(buffer.length, size - from), from);
      const { notes, restOffset } = splitNotes(buffer.subarray(0, length), from, from + length >= size);
      for (const { text, offset } of notes) yield { checkpoint: parseCheckpoint(text), offset };
      if (restOffset === from) {
        yield { checkpoint: null, offset: from };
        return;
      }
      from = restOffset;
    }
  } finally {
    closeSync(descriptor);
  }
}

export function firstNote(path: string): SignedCheckpoint | null {
  // A loop, and not `next()`: only that closes the file again.
  for (const { checkpoint } of readNotes(path)) return checkpoint;
  return null;
}

/** As they stand in the file, oldest first. Nothing is verified. */
export async function* listCheckpoints(folder: string): AsyncGenerator<Checkpoint> {
  for (const { checkpoint } of readNotes(join(folder, checkpointsName))) {
    if (checkpoint !== null) yield toCheckpoint(checkpoint);
  }
}
