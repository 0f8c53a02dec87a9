import { randomBytes } from 'node:crypto';
import { describeError, type ExitCode, exitCodes, HostError, isKnownError, UsageError } from '../../base/errors.ts';
import { kibibyte, secondMs } from '../../base/limits.ts';
import type { JobBoard, JobState, JobStatus, ToolProgress } from './contract.ts';

/** Long work, by id. What it holds is bounded: jobs under way, jobs remembered, and what each of them came to. */

export interface JobBoardLimits {
  readonly mostRunning: number;
  /** Ended jobs are forgotten, the oldest first, when there are more than this. */
  readonly mostKept: number;
  readonly mostResultBytes: number;
  /** How long a cancelled job may take to end before it counts as ended. */
  readonly graceMs: number;
  /** How long closing waits for work that does not heed its signal. */
  readonly closeMs: number;
}

export const usualJobLimits: JobBoardLimits = {
  mostRunning: 4,
  mostKept: 64,
  mostResultBytes: 256 * kibibyte,
  graceMs: 2 * secondMs,
  closeMs: 15 * secondMs,
};

interface Job {
  readonly id: string;
  readonly title: string;
  readonly startedAt: string;
  readonly stop: AbortController;
  /** Resolves when the state is final. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  /** Resolves when the work itself is over, which may be later. */
  settled: Promise<void>;
  state: JobState;
  progress: ToolProgress;
  endedAt?: string;
  thrown?: unknown;
  result: unknown;
}

/** True when the promise was first. */
async function withinTime(promise: Promise<void>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function statusOf({ id, title, state, startedAt, endedAt, progress, thrown }: Job): JobStatus {
  return {
    id,
    title,
    state,
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    progress,
    ...(thrown === undefined ? {} : { error: explain(thrown), exitCode: exitCodeOf(thrown), thrown }),
  };
}

function explain(error: unknown): string {
  if (!isKnownError(error)) return `internal error: ${describeError(error)}`.slice(0, 2000);
  return [error.message, ...(error.hint === undefined ? [] : [error.hint])].join('; ').slice(0, 2000);
}

function exitCodeOf(error: unknown): ExitCode {
  return isKnownError(error) ? error.exitCode : exitCodes.internal;
}

export class OpenJobBoard implements JobBoard {
  readonly #jobs = new Map<string, Job>();
  readonly #limits: JobBoardLimits;
  #isClosed = false;

  constructor(limits: Partial<JobBoardLimits> = {}) {
    this.#limits = { ...usualJobLimits, ...limits };
  }

  start<Result>(
    title: string,
    work: (signal: AbortSignal, progress: (progress: ToolProgress) => void) => Promise<Result>,
  ): JobStatus {
    const { mostRunning } = this.#limits;
    if (this.#isClosed) throw new UsageError('no job can be started: the work is being ended');
    const running = [...this.#jobs.values()].filter(({ state }) => state === 'running');
    if (running.length >= mostRunning) {
      throw new UsageError(`${mostRunning} jobs are running already`, {
        hint: `wait for one of ${running.map(({ id }) => id).join(', ')} or cancel it with job_cancel`,
      });
    }
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const job: Job = {
      id: `job-${randomBytes(8).toString('hex')}`,
      title,
      startedAt: new Date().toISOString(),
      stop: new AbortController(),
      ended,
      end,
      settled: Promise.resolve(),
      state: 'running',
      progress: { phase: 'starting' },
      result: null,
    };
    this.#jobs.set(job.id, job);
    this.#forgetOldest();
    job.settled = this.#run(job, work);
    return statusOf(job);
  }

  status(id: string): JobStatus | null {
    const job = this.#jobs.get(id);
    return job === undefined ? null : statusOf(job);
  }

  list(): readonly JobStatus[] {
    return [...this.#jobs.values()].map(statusOf);
  }

  result(id: string): unknown {
    const job = this.#jobs.get(id);
    return job === undefined || job.state === 'running' ? null : job.result;
  }

  async cancel(id: string): Promise<JobStatus | null> {
    const job = this.#jobs.get(id);
    if (job === undefined) return null;
    if (job.state === 'running') {
      job.stop.abort(new UsageError('cancelled'));
      // Work that does not heed its signal in time has ended for whoever asked; closing still waits for it.
      if (!(await withinTime(job.settled, this.#limits.graceMs))) this.#finish(job, 'cancelled');
    }
    return statusOf(job);
  }

  async wait(id: string, timeoutMs: number): Promise<JobStatus | null> {
    const job = this.#jobs.get(id);
    if (job === undefined) return null;
    // One that was cancelled hands in what it had when its work is over.
    const settled = job.ended.then(() => (job.state === 'cancelled' ? job.settled : undefined));
    await withinTime(settled, timeoutMs);
    return statusOf(job);
  }

  /** Cancels what runs and waits for it, also for what was cancelled before and is not over yet. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const jobs = [...this.#jobs.values()];
    for (const { state, stop } of jobs) if (state === 'running') stop.abort(new UsageError('cancelled'));
    await withinTime(
      Promise.all(jobs.map(({ settled }) => settled)).then(() => {}),
      this.#limits.closeMs,
    );
    for (const job of jobs) this.#finish(job, 'cancelled');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run<Result>(
    job: Job,
    work: (signal: AbortSignal, progress: (progress: ToolProgress) => void) => Promise<Result>,
  ): Promise<void> {
    const tell = (progress: ToolProgress): void => {
      if (job.state === 'running') job.progress = progress;
    };
    try {
      // The id is handed out before any of the work is done.
      await Promise.resolve();
      // Work that is cancelled by then would wait for a signal that has come already.
      job.stop.signal.throwIfAborted();
      const result: unknown = (await work(job.stop.signal, tell)) ?? null;
      const size = Buffer.byteLength(JSON.stringify(result) ?? 'null');
      const isTooLarge = size > this.#limits.mostResultBytes;
      const because = `the result has ${size} bytes, and ${this.#limits.mostResultBytes} are kept`;
      // Also of one that counts as cancelled already: what it had found is not lost.
      if (!isTooLarge) job.result = result;
      if (job.stop.signal.aborted) this.#finish(job, 'cancelled');
      else if (isTooLarge) this.#finish(job, 'failed', new HostError(because));
      else this.#finish(job, 'done');
    } catch (error) {
      if (job.stop.signal.aborted) this.#finish(job, 'cancelled');
      else this.#finish(job, 'failed', error);
    }
  }

  #finish(job: Job, state: JobState, thrown?: unknown): void {
    if (job.state !== 'running') return;
    job.state = state;
    job.endedAt = new Date().toISOString();
    if (state === 'failed') job.thrown = thrown ?? new Error('it failed without a word');
    job.end();
  }

  #forgetOldest(): void {
    const ended = [...this.#jobs.values()].filter(({ state }) => state !== 'running');
    const over = Math.max(0, this.#jobs.size - this.#limits.mostKept);
    for (const { id } of ended.slice(0, over)) this.#jobs.delete(id);
  }
}

export function openJobBoard(limits: Partial<JobBoardLimits> = {}): OpenJobBoard {
  return new OpenJobBoard(limits);
}
