import { closeSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { besideModule } from '../../../base/beside.ts';
import { describeError, HostError } from '../../../base/errors.ts';
import type { SightingSink } from '../contract.ts';
import { Decoder } from './decoder.ts';
import { allowInterrupts, interrupt } from './interrupt.ts';
import type { Counts, FromWatcher, ToWatcher } from './messages.ts';
import { numberOf } from './numbers.ts';
import { RecordWriter, recordTypes, states } from './record.ts';
import { createRecordMemory, RecordTaker } from './record-memory.ts';
import { RecordPump } from './record-pump.ts';

/** The owner's end of the thread that serves the notifications. */

const startLimitMs = 20_000;
const listenLimitMs = 10_000;
/** The thread waits for processes and for its reader; each of them has a limit, and this is more than both. */
const stopLimitMs = 150_000;

function mainFile(): string {
  return fileURLToPath(besideModule(import.meta.url, 'watcher-main'));
}

export interface WatcherEnd {
  /** Null when the thread died before it could say. */
  readonly counts: Counts | null;
  readonly taken: number;
  readonly sightings: Decoder['counts'];
  readonly diedAtMs: number | null;
}

async function withLimit(work: Promise<void>, milliseconds: number, what: string): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(() => limit.reject(new HostError(`${what} took too long`)), milliseconds);
  try {
    await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const warmRecords = 256;
const warmRounds = 4;

/** Reads records of nothing, so that the first batch does not meet code that has not been compiled yet. */
function warmDecoder(): void {
  const memory = createRecordMemory();
  const writer = new RecordWriter(memory);
  const path = Buffer.from('/warm-up');
  for (let count = 0; count < warmRecords; count += 1) {
    writer.begin(recordTypes.call, process.pid, numberOf('openat'), 0, 0);
    writer.add(path);
    writer.addAbsent();
    writer.commit(states.plain);
  }
  const chunk = new RecordTaker(memory).take(Number.POSITIVE_INFINITY);
  const decoder = new Decoder();
  for (let round = 0; chunk !== null && round < warmRounds; round += 1) decoder.decode(chunk);
}

export class WatcherThread {
  readonly #worker: Worker;
  readonly #exited = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #pump: RecordPump;
  readonly #decoder = new Decoder();
  /** Ours to close when the thread cannot any more: then the kernel answers whoever waits. */
  readonly #listeners = new Map<number, PromiseWithResolvers<void>>();
  #waker = -1;
  #thread = -1;
  #taken = 0;
  #counts: Counts | null = null;
  #diedAtMs: number | null = null;
  #cause: unknown = null;
  #stopping: Promise<WatcherEnd> | null = null;

  private constructor(onSightings: SightingSink) {
    const memory = createRecordMemory();
    if (!allowInterrupts()) throw new HostError('cannot set the handler of a signal');
    this.#worker = new Worker(mainFile(), { workerData: memory, trackUnmanagedFds: false });
    this.#pump = new RecordPump({
      memory,
      take: (chunk) => onSightings(this.#decoder.decode(chunk)),
      onQuiet: () => this.#interrupt(),
    });
    this.#worker.on('message', (message: FromWatcher) => this.#hear(message));
    this.#worker.on('error', (error) => {
      this.#cause = error;
    });
    this.#worker.on('exit', () => this.#bury());
  }

  static async start(onSightings: SightingSink): Promise<WatcherThread> {
    const thread = new WatcherThread(onSightings);
    // The thread takes longer to start than this.
    warmDecoder();
    try {
      await withLimit(thread.#ready.promise, startLimitMs, 'starting the watcher of system calls');
      return thread;
    } catch (error) {
      await thread.#worker.terminate();
      await thread.#pump.close();
      throw error;
    }
  }

  /** Resolves when calls that wait at this listener are answered. */
  async listen(listener: number): Promise<void> {
    if (this.#counts !== null || this.#diedAtMs !== null || this.#stopping !== null) {
      closeSync(listener);
      throw this.#failure();
    }
    const listening = Promise.withResolvers<void>();
    this.#listeners.set(listener, listening);
    this.#taken += 1;
    this.#tell({ type: 'listen', listener });
    await withLimit(listening.promise, listenLimitMs, 'taking over the system calls of a box');
  }

  stop(): Promise<WatcherEnd> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<WatcherEnd> {
    this.#tell({ type: 'stop' });
    try {
      await withLimit(this.#exited.promise, stopLimitMs, 'stopping the watcher of system calls');
    } catch {
      await this.#worker.terminate();
    }
    await this.#pump.close();
    return { counts: this.#counts, taken: this.#taken, sightings: this.#decoder.counts, diedAtMs: this.#diedAtMs };
  }

  #failure(): HostError {
    const reason = this.#cause === null ? '' : `: ${describeError(this.#cause)}`;
    return new HostError(`the watcher of system calls has ended${reason}`);
  }

  #tell(message: ToWatcher): void {
    if (this.#waker === -1) return;
    this.#worker.postMessage(message);
    const one = Buffer.alloc(8);
    one.writeUInt8(1);
    writeSync(this.#waker, one);
    this.#interrupt();
  }

  /** It may stand in a call that knows nothing of the waker. Should it miss this, it is quiet, and is asked again. */
  #interrupt(): void {
    if (this.#thread !== -1) interrupt(this.#thread);
  }

  #hear(message: FromWatcher): void {
    if (message.type === 'ready') {
      this.#waker = message.waker;
      this.#thread = message.thread;
      this.#ready.resolve();
    }
    if (message.type === 'listening') this.#listeners.get(message.listener)?.resolve();
    if (message.type === 'gone') this.#listeners.delete(message.listener);
    if (message.type === 'end') this.#counts = message.counts;
  }

  #bury(): void {
    if (this.#counts === null) {
      this.#diedAtMs = Date.now();
      for (const [listener, listening] of this.#listeners) {
        closeSync(listener);
        listening.reject(this.#failure());
      }
    }
    this.#ready.reject(this.#failure());
    if (this.#waker !== -1) closeSync(this.#waker);
    this.#waker = -1;
    this.#thread = -1;
    this.#exited.resolve();
  }
}
