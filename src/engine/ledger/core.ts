import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '../../base/errors.ts';
import { buildBatch } from './batch.ts';
import { toCheckpoint, writeCheckpointText } from './checkpoint.ts';
import { CheckpointFile, type NotesEnd } from './checkpoint-file.ts';
import type { Appended, Checkpoint } from './contract.ts';
import { type PreparedLine, prepareLine } from './entry.ts';
import { handoverLines, retirementLines, signatureProblem } from './handover.ts';
import { readHint, writeHint } from './hint.ts';
import { KeyRing } from './keys.ts';
import { ledgerLimits } from './limits.ts';
import { Log } from './log.ts';
import { type SignerKey, signNote } from './note.ts';
import { recover, stampOf } from './recovery.ts';
import type { RotateOptions, Rotation } from './report.ts';
import { listSegments, sizeOf } from './segments.ts';
import { WriterRecord } from './writers.ts';

/**
 * Everything a writer does to the files of the ledger. Each method needs the lock, and one is over before the next begins;
 * `Ledger` sees to both.
 */
export class LedgerCore {
  readonly #folder: string;
  readonly #log: Log;
  readonly #checkpoints: CheckpointFile;
  readonly #session = `ledger-${randomBytes(4).toString('hex')}`;
  readonly keys: KeyRing;
  #record: WriterRecord | null = null;
  /** Size of the newest checkpoint that is known. */
  #covered = 0;

  constructor(options: {
    readonly folder: string;
    readonly origin: string | undefined;
    readonly segmentBytes: number;
    readonly quickSyncMs: number;
  }) {
    const { folder, origin, segmentBytes, quickSyncMs } = options;
    this.#folder = folder;
    const isNew =
      listSegments(folder).every(({ path }) => sizeOf(path) === 0) && (sizeOf(join(folder, 'checkpoints')) ?? 0) === 0;
    this.keys = KeyRing.open(join(folder, 'keys'), { origin, mayCreate: isNew });
    this.#log = new Log(folder, { segmentBytes, quickSyncMs });
    this.#checkpoints = new CheckpointFile(folder);
    this.#skipAhead();
  }

  get uncovered(): number {
    return this.#log.size - this.#covered;
  }

  /** Only what a checkpoint was signed for can be skipped. */
  #skipAhead(): void {
    const found = readHint(this.#folder);
    if (found === null) return;
    const root = found.frontier.root();
    const notes = this.#checkpoints.readEnd().notes;
    const isSigned = notes.some(
      (note) =>
        note.size === found.hint.size && note.root === root && signatureProblem(this.keys.periods, note) === null,
    );
    if (isSigned) this.#log.skipTo(found.hint, found.frontier);
  }

  /** The one thing that needs no lock. */
  approach(): Promise<void> {
    return this.#log.approach();
  }

  /** After `approach`: catches up, looks for crashed writers, and says that there is a writer now. */
  async start(): Promise<void> {
    await this.#settle(true);
    this.#record = new WriterRecord(this.#folder);
    this.#log.trustWriters();
  }

  /** Newest note that is whole; what is behind it goes into a file of its own. */
  #newest(): NotesEnd['notes'][number] | null {
    const end = this.#checkpoints.readEnd();
    if (end.torn.length > 0) this.#checkpoints.moveAside(end, `torn-checkpoints-${stampOf(new Date())}`);
    const newest = end.notes.at(-1) ?? null;
    const problem = newest === null ? null : signatureProblem(this.keys.periods, newest);
    if (problem !== null)
      throw new HostError(`the newest checkpoint of the ledger is not to be believed: ${problem}`, {
        hint: 'hotcell audit verify',
      });
    this.#covered = Math.max(this.#covered, newest?.size ?? 0);
    return newest;
  }

  /** Catches up, and puts right what a crashed writer left; the log says so before anything else is written. */
  async #settle(isFull: boolean): Promise<void> {
    const torn = this.#log.catchUp();
    if (torn === null && !isFull) return;
    this.keys.refresh();
    this.#newest();
    const situation = { folder: this.#folder, log: this.#log, torn, covered: this.#covered, session: this.#session };
    const recovery = recover(situation);
    try {
      if (recovery.entry !== null) {
        this.#write([prepareLine(recovery.entry)]);
        await this.#log.sync();
      }
    } catch (error) {
      recovery.giveUp();
      throw error;
    }
    recovery.finish();
  }

  #write(lines: readonly PreparedLine[]): readonly Appended[] {
    const batch = buildBatch(lines, this.#log.leaf, this.#log.size);
    const [segment, offset, from] = [this.#log.segment.first, this.#log.offset, this.#log.size];
    this.#record?.begin({ segment, offset, from, leaves: batch.lines.map(({ leaf }) => leaf) });
    this.#log.write(batch.bytes, batch.lines);
    return batch.appended;
  }

  /** Written, and not on the disk before `sync`, which needs no lock. `take` is asked once everything is ready. */
  async append(take: () => readonly PreparedLine[]): Promise<readonly Appended[]> {
    await this.#settle(false);
    await this.#log.makeRoom();
    return this.#write(take());
  }

  sync(): Promise<void> {
    return this.#log.sync();
  }

  /** Everything that was written has been acknowledged. */
  acknowledged(): void {
    this.#record?.end();
  }

  /** Whether so many entries came since the newest checkpoint, whoever made it. Needs no lock. */
  needsCheckpoint(atLeast: number): boolean {
    if (this.uncovered < atLeast) return false;
    const newest = this.#checkpoints.readEnd(ledgerLimits.noteGlanceBytes).notes.at(-1);
    const isGood = newest !== undefined && signatureProblem(this.keys.periods, newest) === null;
    if (isGood) this.#covered = Math.max(this.#covered, newest.size);
    return this.uncovered >= atLeast;
  }

  /** Null when somebody else has just made one, and `atLeast` entries have not come since. */
  async checkpoint(atLeast: number): Promise<Checkpoint | null> {
    // Several writers come to think at the same moment that it is time for one.
    if (atLeast > 0 && !this.needsCheckpoint(atLeast)) return null;
    await this.#settle(true);
    if (this.keys.until !== null && this.keys.until <= new Date().toISOString()) await this.#retire();
    const newest = this.#newest();
    if (newest !== null && this.#log.size - newest.size < atLeast) return null;
    if (newest?.size === this.#log.size) return toCheckpoint(newest);
    return this.#sign([], this.keys.signersAt(this.#log.size), (note) => this.#checkpoints.append(note));
  }

  /** Entries are on the disk before what vouches for them is. */
  async #sign(
    extra: readonly string[],
    signers: readonly SignerKey[],
    keep: (note: string) => void,
  ): Promise<Checkpoint> {
    await this.#log.sync();
    const [size, root, origin] = [this.#log.size, this.#log.root(), this.keys.origin];
    const note = signNote(writeCheckpointText({ origin, size, root, extra }), signers);
    keep(note);
    if (extra.length === 0) {
      this.#covered = size;
      writeHint(this.#folder, this.#log.hint());
    }
    return { origin, size, root, note };
  }

  async #writeOwn(action: string, details: Readonly<Record<string, string>>): Promise<void> {
    await this.#log.makeRoom();
    this.#write([prepareLine({ instrument: 'hotcell', action, verdict: 'noted', session: this.#session, details })]);
    await this.#log.sync();
    this.#record?.end();
  }

  /** Ends the overlap: the old key signs once more, that it is over. */
  async #retire(): Promise<void> {
    const [retired, current] = this.keys.periods.slice(-2).map(({ key }) => key);
    if (retired === undefined || current === undefined) return;
    const signers = this.keys.signersAt(this.#log.size);
    await this.#writeOwn('keys.retire', { retired: retired.text, current: current.text });
    await this.#sign(retirementLines(retired), signers, (note) => this.keys.addNote(note));
    this.keys.forget(retired);
  }

  async rotate({ overlapMs }: RotateOptions): Promise<Rotation> {
    await this.#settle(true);
    // Two overlaps at once would be three keys: the one that is running ends now.
    if (this.keys.until !== null) await this.#retire();
    const [old] = this.keys.signersAt(this.#log.size);
    if (old === undefined) throw new HostError('the ledger has no key that signs');
    const next = this.keys.createNext();
    const until = new Date(Date.now() + overlapMs).toISOString();
    const [from, to] = [old.verifier, next.verifier];
    await this.#writeOwn('keys.rotate', { from: from.text, to: to.text, until });
    const { note } = await this.#sign(handoverLines(from, to, until), [old, next], (text) => this.keys.addNote(text));
    if (overlapMs === 0) await this.#retire();
    await this.checkpoint(0);
    return { from: from.text, to: to.text, until, note };
  }

  /** What is under way was not acknowledged, and never will be. */
  abandon(): void {
    this.#record?.abandon();
    this.#record = null;
  }

  close(): void {
    this.#record?.remove();
    this.#log.close();
    this.#checkpoints.close();
  }
}

export function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}
