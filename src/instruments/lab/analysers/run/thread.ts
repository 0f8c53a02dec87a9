import { Worker } from 'node:worker_threads';
import { describeError, HostError } from '../../../../base/errors.ts';
import { type AnalyserRun, noResult } from '../../contract.ts';
import type { AnalyserEntry, SampleMessage, TaskMessage, ThreadMessage } from './contract.ts';
import { startTimeoutMs } from './limits.ts';

export interface ThreadLimits {
  /** A thread that is this much late does not look at the clock: it is ended. */
  readonly graceMs: number;
  readonly megabytes: number;
}

interface Waiting {
  readonly task: number;
  readonly end: (run: AnalyserRun) => void;
}

function endedRun(entry: AnalyserEntry, status: AnalyserRun['status'], elapsedMs: number, note: string): AnalyserRun {
  return { analyser: entry.id, version: entry.version, status, elapsedMs, result: { ...noResult, notes: [note] } };
}

/** One thread of the pool: runs one analyser at a time, and is gone for good once it had to be ended. */
export class AnalyserThread {
  readonly #worker: Worker;
  readonly #graceMs: number;
  readonly #entries = Promise.withResolvers<readonly AnalyserEntry[]>();
  #waiting: Waiting | null = null;
  #taskCount = 0;
  #isGone = false;
  #onGone: (note: string) => void = () => undefined;

  constructor(workerFile: URL, limits: ThreadLimits) {
    this.#graceMs = limits.graceMs;
    this.#worker = new Worker(workerFile, {
      env: {},
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    });
    // What a library prints would end up in the stream of a protocol.
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.unref();
    this.#entries.promise.catch(() => undefined);
    this.#worker.on('message', (message: ThreadMessage) => this.#hear(message));
    this.#worker.on('error', (error) => this.#lose(describeError(error)));
    this.#worker.on('exit', () => this.#lose('its thread ended'));
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** The analysers that this thread has loaded. */
  async entries(): Promise<readonly AnalyserEntry[]> {
    this.#worker.ref();
    const timer = setTimeout(() => this.close(), startTimeoutMs);
    try {
      return await this.#entries.promise;
    } finally {
      clearTimeout(timer);
      this.#worker.unref();
    }
  }

  /** Resolves in any case: a thread that does not answer in time, or dies, is a status. */
  async run(entry: AnalyserEntry, sample: SampleMessage): Promise<AnalyserRun> {
    const begun = performance.now();
    const elapsed = (): number => Math.round(performance.now() - begun);
    if (this.#isGone) return endedRun(entry, 'failed', 0, 'its thread was ended before it began');
    this.#taskCount += 1;
    const task = this.#taskCount;
    const { promise, resolve } = Promise.withResolvers<AnalyserRun>();
    this.#waiting = { task, end: resolve };
    this.#onGone = (note) => resolve(endedRun(entry, 'failed', elapsed(), note));
    const timer = setTimeout(() => {
      resolve(endedRun(entry, 'timed-out', elapsed(), `not done after ${entry.timeoutMs} ms: its thread was ended`));
      this.close();
    }, entry.timeoutMs + this.#graceMs);
    this.#worker.ref();
    try {
      const message: TaskMessage = { task, analyser: entry.id, sample };
      this.#worker.postMessage(message);
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
      this.#onGone = () => undefined;
      this.#worker.unref();
    }
  }

  close(): void {
    this.#lose('its thread was ended');
    void this.#worker.terminate();
  }

  #hear(message: ThreadMessage): void {
    if (message.type === 'ready') this.#entries.resolve(message.entries);
    else if (this.#waiting?.task === message.task) this.#waiting.end(message.run);
  }

  #lose(note: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#entries.reject(new HostError(`a thread of analysers did not start: ${note}`));
    this.#onGone(`the analyser did not survive: ${note}`);
  }
}
