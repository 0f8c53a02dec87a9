import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint, type SignedCheckpoint, splitNotes } from './checkpoint.ts';
import { syncFolder, writeAll, writeDurably } from './durable-file.ts';
import { ledgerLimits } from './limits.ts';

/** The file of checkpoints. Whoever writes to it holds the lock, so its sizes never go down. */

export const checkpointsName = 'checkpoints';

export interface NotesEnd {
  /** Newest last. Not verified. */
  readonly notes: readonly SignedCheckpoint[];
  /** Where the last good note ends. */
  readonly offset: number;
  /** What is behind it: nobody finished writing it. */
  readonly torn: Buffer;
}

export class CheckpointFile {
  readonly #descriptor: number;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#descriptor = openSync(join(folder, checkpointsName), 'a+', 0o644);
    if (fstatSync(this.#descriptor).size === 0) syncFolder(folder);
  }

  get isEmpty(): boolean {
    return fstatSync(this.#descriptor).size === 0;
  }

  /** The newest notes, as many as a look at the end of the file shows. */
  readEnd(atMost: number = ledgerLimits.noteBytes): NotesEnd {
    const { size } = fstatSync(this.#descriptor);
    const from = Math.max(0, size - atMost);
    const bytes = Buffer.alloc(size - from);
    readSync(this.#descriptor, bytes, 0, bytes.length, from);
    // Somewhere in the middle of a note the first whole one begins after a line of signatures.
    const start = from === 0 ? 0 : startOfNote(bytes);
    const { notes, restOffset } = splitNotes(bytes.subarray(start), from + start, true);
    const parsed: SignedCheckpoint[] = [];
    for (const { text, offset } of notes) {
      const checkpoint = parseCheckpoint(text);
      if (checkpoint === null) return { notes: parsed, offset, torn: bytes.subarray(offset - from) };
      parsed.push(checkpoint);
    }
    return { notes: parsed, offset: restOffset, torn: bytes.subarray(restOffset - from) };
  }

  /** Moves what is not finished into a file of its own. */
  moveAside(end: NotesEnd, name: string): void {
    writeDurably(join(this.#folder, name), end.torn, 0o600);
    ftruncateSync(this.#descriptor, end.offset);
    fsyncSync(this.#descriptor);
  }

  append(note: string): void {
    writeAll(this.#descriptor, Buffer.from(note));
    fsyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const dash = Buffer.from('\n— ');

function startOfNote(bytes: Buffer): number {
  let at = bytes.indexOf(dash);
  while (at !== -1) {
    const end = bytes.indexOf(10, at + 1);
    if (end === -1) return bytes.length;
    if (!bytes.subarray(end, end + dash.length).equals(dash)) return end + 1;
    at = end;
  }
  return bytes.length;
}
