import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeError, HostError, isKnownError, UsageError } from '../../base/errors.ts';
import type { Appended, Checkpoint, LedgerEntry, LedgerWriter } from './contract.ts';
import { Copies } from './copies.ts';
import { LedgerCore, prepareFolder } from './core.ts';
import { type PreparedLine, prepareLine } from './entry.ts';
import { ledgerLimits } from './limits.ts';
import { FileLock } from './lock.ts';
import type { LedgerOptions, RotateOptions, Rotation } from './report.ts';

interface Waiting {
  readonly line: PreparedLine;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

const numericOptions = ['segmentBytes', 'checkpointEvery', 'checkpointMs', 'lockWaitMs'] as const;

function settingsOf(options: LedgerOptions): Required<Pick<LedgerOptions, (typeof numericOptions)[number]>> {
  const wrong = numericOptions.find(
    (name) => options[name] !== undefined && !(Number.isSafeInteger(options[name]) && Number(options[name]) > 0),
  );
  if (wrong !== undefined) throw new UsageError(`${wrong} of a ledger is a whole number above 0`);
  const { segmentBytes, checkpointEvery, checkpointMs, lockWaitMs } = ledgerLimits;
  return {
    segmentBytes: options.segmentBytes ?? segmentBytes,
    checkpointEvery: options.checkpointEvery ?? checkpointEvery,
    checkpointMs: Math.min(options.checkpointMs ?? checkpointMs, 0x7fffffff),
    lockWaitMs: options.lockWaitMs ?? lockWaitMs,
  };
}

function asHostError(error: unknown, what: string): HostError {
  if (error instanceof HostError) return error;
  return new HostError(`${what}: ${describeError(error)}`, { cause: error });
}

/**
 * One writer of a ledger. Callers that append at the same time share one write and one fsync; other writers, in this process
 * or others, wait only for the write.
 */
export class Ledger implements LedgerWriter, AsyncDisposable {
  readonly #settings: ReturnType<typeof settingsOf>;
  readonly #core: LedgerCore;
  readonly #lock: FileLock;
  readonly #copies: Copies;
  readonly #onProblem: (problem: string) => void;
  readonly #jobs: (() => Promise<void>)[] = [];
  #pending: Waiting[] = [];
  #working: Promise<void> | null = null;
  #failure: HostError | null = null;
  #closing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  static async open(options: LedgerOptions): Promise<Ledger> {
    const settings = settingsOf(options);
    const { folder, origin } = options;
    let lock: FileLock | null = null;
    let core: LedgerCore | null = null;
    try {
      prepareFolder(folder);
      lock = new FileLock(join(folder, 'lock'));
      await lock.acquire(settings.lockWaitMs);
      const { quickSyncMs = ledgerLimits.quickSyncMs } = options;
      core = new LedgerCore({ folder, origin, segmentBytes: settings.segmentBytes, quickSyncMs });
      lock.release();
      await core.approach();
      await lock.acquire(settings.lockWaitMs);
      await core.start();
      const checkpoint = await core.checkpoint(0);
      lock.release();
      const ledger = new Ledger(options, settings, core, lock);
      if (checkpoint !== null) ledger.#copies.publish(checkpoint);
      return ledger;
    } catch (error) {
      core?.abandon();
      core?.close();
      lock?.close();
      throw isKnownError(error) ? error : asHostError(error, 'the ledger cannot be opened');
    }
  }

  private constructor(
    options: LedgerOptions,
    settings: ReturnType<typeof settingsOf>,
    core: LedgerCore,
    lock: FileLock,
  ) {
    this.#settings = settings;
    this.#core = core;
    this.#lock = lock;
    this.#onProblem = options.onProblem ?? ((problem) => process.emitWarning(problem));
    this.#copies = new Copies(options.copies ?? [], this.#onProblem);
  }

  /** Name of the log in its checkpoints. */
  get origin(): string {
    return this.#core.keys.origin;
  }

  append(entry: LedgerEntry): Promise<Appended> {
    try {
      this.#refuseWhenUseless();
      if (this.#pending.length >= ledgerLimits.pendingEntries)
        throw new HostError('too many entries wait for the disk of the ledger');
      const line = prepareLine(entry);
      return new Promise((resolve, reject) => {
        this.#pending.push({ line, resolve, reject });
        this.#work();
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  hashSecret(secret: string | Uint8Array): string {
    return this.#core.keys.hashSecret(secret);
  }

  checkpoint(): Promise<Checkpoint> {
    return this.#run(async () => {
      const checkpoint = await this.#core.checkpoint(0);
      if (checkpoint === null) throw new HostError('no checkpoint was made');
      this.#copies.publish(checkpoint);
      return checkpoint;
    });
  }

  rotateKeys(options: RotateOptions): Promise<Rotation> {
    const { overlapMs } = options;
    if (!(Number.isSafeInteger(overlapMs) && overlapMs >= 0 && overlapMs <= ledgerLimits.overlapMs)) {
      return Promise.reject(new UsageError('the overlap of two keys is between 0 and 90 days'));
    }
    return this.#run(() => this.#core.rotate(options));
  }

  /** Writes the last checkpoint. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    let failure: unknown = null;
    // What was taken before is covered by the last checkpoint.
    while (this.#working !== null) await this.#working;
    if (this.#failure === null) {
      try {
        await this.#enqueue(async () => {
          const checkpoint = await this.#core.checkpoint(0);
          if (checkpoint !== null) this.#copies.publish(checkpoint);
        });
      } catch (error) {
        failure = error;
      }
    }
    while (this.#working !== null) await this.#working;
    this.#core.close();
    this.#lock.close();
    await this.#copies.close();
    if (failure !== null) throw failure;
  }

  #refuseWhenUseless(): void {
    if (this.#failure !== null) {
      throw new HostError(`the ledger takes nothing any more: ${this.#failure.message}`, {
        cause: this.#failure,
        hint: 'open it again',
      });
    }
    if (this.#closing !== null) throw new HostError('the ledger is closed');
  }

  async #run<T>(job: () => Promise<T>): Promise<T> {
    this.#refuseWhenUseless();
    return this.#enqueue(job);
  }

  /** Under the lock, between two batches. */
  #enqueue<T>(job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#jobs.push(async () => {
        try {
          if (this.#failure !== null) throw this.#failure;
          await this.#lock.acquire(this.#settings.lockWaitMs);
        } catch (error) {
          reject(error);
          return;
        }
        try {
          resolve(await job());
        } catch (error) {
          reject(this.#fail(error));
        } finally {
          this.#lock.release();
        }
      });
      this.#work();
    });
  }

  #work(): void {
    this.#working ??= this.#workOff().finally(() => {
      this.#working = null;
      if (this.#pending.length > 0 || this.#jobs.length > 0) this.#work();
    });
  }

  async #workOff(): Promise<void> {
    while (this.#pending.length > 0 || this.#jobs.length > 0) {
      const job = this.#jobs.shift();
      if (job !== undefined) await job();
      if (this.#pending.length > 0) await this.#commit();
      // Callers who were just told may have something more to say; it goes into the same batch.
      await nextTurn();
    }
    if (this.#failure === null) this.#core.acknowledged();
  }

  #takeBatch(): readonly Waiting[] {
    let [count, bytes] = [0, 0];
    for (const { line } of this.#pending) {
      if (count > 0 && (count >= ledgerLimits.batchEntries || bytes + line.bytes > ledgerLimits.batchBytes)) break;
      count += 1;
      bytes += line.bytes;
    }
    return this.#pending.splice(0, count);
  }

  async #commit(): Promise<void> {
    let batch: readonly Waiting[] = [];
    try {
      if (this.#failure !== null) throw this.#failure;
      await this.#core.approach();
      await this.#lock.acquire(this.#settings.lockWaitMs);
    } catch (error) {
      for (const { reject } of this.#pending.splice(0)) reject(asHostError(error, 'the ledger cannot be read'));
      return;
    }
    try {
      let appended: readonly Appended[];
      try {
        appended = await this.#core.append(() => {
          batch = this.#takeBatch();
          return batch.map(({ line }) => line);
        });
      } catch (error) {
        throw this.#fail(error);
      } finally {
        this.#lock.release();
      }
      await this.#core.sync();
      for (const [index, { resolve }] of batch.entries()) resolve(appended[index] as Appended);
    } catch (error) {
      const failure = this.#fail(error);
      for (const { reject } of [...batch, ...this.#pending.splice(0)]) reject(failure);
      return;
    }
    this.#planCheckpoint();
  }

  #planCheckpoint(): void {
    const { checkpointEvery, checkpointMs } = this.#settings;
    if (this.#core.needsCheckpoint(checkpointEvery)) this.#checkpointSoon(checkpointEvery);
    else if (this.#timer === null && this.#core.uncovered > 0 && this.#closing === null) {
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.#checkpointSoon(1);
      }, checkpointMs);
      this.#timer.unref();
    }
  }

  #checkpointSoon(atLeast: number): void {
    if (this.#closing !== null || this.#failure !== null || this.#jobs.length > 0) return;
    const making = this.#enqueue(async () => {
      const checkpoint = await this.#core.checkpoint(atLeast);
      if (checkpoint !== null) this.#copies.publish(checkpoint);
    });
    making.catch((error: unknown) => this.#onProblem(`the ledger made no checkpoint: ${describeError(error)}`));
  }

  /** After a failed write or fsync nobody knows what is on the disk: this writer is done, and says so to those after it. */
  #fail(error: unknown): HostError {
    this.#failure ??= asHostError(error, 'the ledger cannot be written');
    this.#core.abandon();
    return this.#failure;
  }
}

export async function rotateKeys(folder: string, options: RotateOptions): Promise<Rotation> {
  await using ledger = await Ledger.open({ folder });
  return await ledger.rotateKeys(options);
}
