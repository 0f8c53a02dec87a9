import { availableParallelism } from 'node:os';
import { besideModule } from '../../../../base/beside.ts';
import { UsageError } from '../../../../base/errors.ts';
import type { AnalyserRun } from '../../contract.ts';
import { recogniseKind } from '../../recognise/index.ts';
import { takeChildren, wholeChildBudget } from './bound-result.ts';
import { chooseAnalysers } from './choose.ts';
import type { AnalyserEntry, RunOrder, RunOutcome, SampleMessage } from './contract.ts';
import { graceMs, mostThreads, threadMegabytes } from './limits.ts';
import { AnalyserThread, type ThreadLimits } from './thread.ts';

export interface PoolOptions {
  readonly threads?: number;
  /** The entry of the threads: another one has another list of analysers. */
  readonly workerFile?: URL;
  readonly limits?: ThreadLimits;
}

function shareBytes(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/** The caps hold for a run as a whole, too; the first in the list have the first choice. */
function boundRuns(runs: readonly AnalyserRun[]): readonly AnalyserRun[] {
  const budget = wholeChildBudget();
  return runs.map((run) => {
    const notes: string[] = [];
    const children = takeChildren(run.result.children, budget, notes);
    if (notes.length === 0) return run;
    const result = { ...run.result, children, notes: [...run.result.notes, ...notes] };
    return { ...run, status: run.status === 'done' ? 'partial' : run.status, result };
  });
}

/** Threads that run analysers. They start when they are needed and stay until `close()`; a lost one is replaced. */
export class AnalyserPool {
  readonly #workerFile: URL;
  readonly #size: number;
  readonly #limits: ThreadLimits;
  readonly #idle: AnalyserThread[] = [];
  readonly #busy = new Set<AnalyserThread>();
  readonly #queue: ((thread: AnalyserThread) => void)[] = [];
  #entries: Promise<readonly AnalyserEntry[]> | null = null;
  #isClosed = false;

  constructor({ threads = availableParallelism(), workerFile, limits }: PoolOptions = {}) {
    this.#limits = limits ?? { graceMs, megabytes: threadMegabytes };
    this.#size = Math.max(1, Math.min(threads, mostThreads));
    this.#workerFile = workerFile ?? besideModule(import.meta.url, 'worker');
  }

  /** Every analyser with its version: the key under which results are kept. Starts a thread when there is none. */
  entries(): Promise<readonly AnalyserEntry[]> {
    this.#entries ??= this.#askEntries().catch((error: unknown) => {
      this.#entries = null;
      throw error;
    });
    return this.#entries;
  }

  async run(order: RunOrder): Promise<RunOutcome> {
    const { bytes, name, depth, signal, only } = order;
    signal?.throwIfAborted();
    const kind = order.kind ?? recogniseKind(bytes, name);
    const entries = await this.entries();
    signal?.throwIfAborted();
    const { chosen, skipped } = chooseAnalysers(entries, { kind, depth, ...(only === undefined ? {} : { only }) });
    const { passwords = [], rulesFolders = [] } = order;
    const sample = { shared: shareBytes(bytes), kind, name, depth, passwords, rulesFolders };
    const runs = await this.#runAll(chosen, sample, order);
    signal?.throwIfAborted();
    return { kind, runs: boundRuns(runs), skipped };
  }

  close(): void {
    this.#isClosed = true;
    for (const thread of [...this.#idle, ...this.#busy]) thread.close();
    this.#idle.length = 0;
  }

  async #askEntries(): Promise<readonly AnalyserEntry[]> {
    const thread = await this.#take();
    try {
      return await thread.entries();
    } finally {
      this.#give(thread);
    }
  }

  async #runAll(chosen: readonly AnalyserEntry[], sample: SampleMessage, order: RunOrder): Promise<AnalyserRun[]> {
    const own = new Set<AnalyserThread>();
    const endOwn = (): void => {
      for (const thread of own) thread.close();
    };
    order.signal?.addEventListener('abort', endOwn, { once: true });
    let done = 0;
    const runOne = async (entry: AnalyserEntry): Promise<readonly [string, AnalyserRun]> => {
      const thread = await this.#take();
      own.add(thread);
      try {
        order.signal?.throwIfAborted();
        await thread.entries();
        const run = await thread.run(entry, sample);
        done += 1;
        order.onProgress?.({ analyser: entry.id, status: run.status, done, total: chosen.length });
        return [entry.id, run];
      } finally {
        own.delete(thread);
        this.#give(thread);
      }
    };
    try {
      // Those that may take longest begin first, so that none of them is waited for alone.
      const sorted = chosen.toSorted((left, right) => right.timeoutMs - left.timeoutMs);
      const ended = await Promise.allSettled(sorted.map(runOne));
      order.signal?.throwIfAborted();
      const failure = ended.find((one) => one.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
      const byId = new Map(ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
      return chosen.flatMap((entry) => byId.get(entry.id) ?? []);
    } finally {
      order.signal?.removeEventListener('abort', endOwn);
    }
  }

  async #take(): Promise<AnalyserThread> {
    if (this.#isClosed) throw new UsageError('the analysers have been closed');
    let idle = this.#idle.pop();
    while (idle?.isGone) idle = this.#idle.pop();
    const thread = idle ?? (this.#busy.size < this.#size ? new AnalyserThread(this.#workerFile, this.#limits) : null);
    if (thread === null) return new Promise((resolve) => this.#queue.push(resolve));
    this.#busy.add(thread);
    return thread;
  }

  #give(thread: AnalyserThread): void {
    this.#busy.delete(thread);
    const next = this.#queue.shift();
    if (next === undefined) {
      if (!thread.isGone) this.#idle.push(thread);
      return;
    }
    const heir = thread.isGone && !this.#isClosed ? new AnalyserThread(this.#workerFile, this.#limits) : thread;
    this.#busy.add(heir);
    next(heir);
  }
}
