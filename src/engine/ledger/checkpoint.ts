import type { Checkpoint } from './contract.ts';
import { ledgerLimits } from './limits.ts';
import { isKeyName, type Note, parseNote } from './note.ts';

/** The text of a checkpoint: origin, size, root, and in a hand-over what it says about keys. */

export interface CheckpointText {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  readonly extra: readonly string[];
}

export interface SignedCheckpoint extends CheckpointText {
  readonly note: Note;
  /** As it stands in the file. */
  readonly written: string;
}

export function writeCheckpointText(checkpoint: CheckpointText): string {
  const root = Buffer.from(checkpoint.root, 'hex').toString('base64');
  return [checkpoint.origin, String(checkpoint.size), root, ...checkpoint.extra, ''].join('\n');
}

/** Null when it is none. It is not verified yet. */
export function parseCheckpoint(written: string): SignedCheckpoint | null {
  const note = parseNote(written);
  if (note === null) return null;
  const [origin = '', size = '', root = '', ...extra] = note.text.slice(0, -1).split('\n');
  const hash = Buffer.from(root, 'base64');
  if (!isKeyName(origin) || !/^(?:0|[1-9]\d{0,14})$/.test(size)) return null;
  if (hash.length !== 32 || hash.toString('base64') !== root) return null;
  return { origin, size: Number(size), root: hash.toString('hex'), extra, note, written };
}

/** A note as a person kept it: with other ends of lines, blanks around it, or on one line as syslog has it. */
export function parseKeptCheckpoint(text: string): SignedCheckpoint | null {
  const lines = text.includes('\n') ? text : text.replaceAll('\\n', '\n');
  return parseCheckpoint(`${lines.replaceAll('\r\n', '\n').trim()}\n`);
}

export function toCheckpoint(signed: SignedCheckpoint): Checkpoint {
  return { origin: signed.origin, size: signed.size, root: signed.root, note: signed.written };
}

export interface WrittenNote {
  readonly text: string;
  readonly offset: number;
}

export interface SplitNotes {
  readonly notes: readonly WrittenNote[];
  /** Where what is left over begins: a note that is not finished, or no note. */
  readonly restOffset: number;
}

/** A file of notes is text, an empty line, signature lines, and then the next one. */
export function splitNotes(bytes: Buffer, firstOffset: number, isEnd: boolean): SplitNotes {
  const notes: WrittenNote[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = endOfNote(bytes, start, isEnd);
    if (end === -1) break;
    notes.push({ text: bytes.toString('utf8', start, end), offset: firstOffset + start });
    start = end;
  }
  return { notes, restOffset: firstOffset + start };
}

const dash = Buffer.from('— ');

function endOfNote(bytes: Buffer, start: number, isEnd: boolean): number {
  const empty = bytes.indexOf('\n\n', start);
  if (empty === -1 || empty - start > ledgerLimits.noteBytes) return -1;
  let at = empty + 2;
  let signatures = 0;
  while (bytes.subarray(at, at + dash.length).equals(dash)) {
    const newline = bytes.indexOf(10, at);
    if (newline === -1) return -1;
    at = newline + 1;
    signatures += 1;
  }
  // At the end of a piece of a file more signatures may follow.
  const mayGrow = !isEnd && bytes.length - at < dash.length;
  return signatures === 0 || mayGrow ? -1 : at;
}
