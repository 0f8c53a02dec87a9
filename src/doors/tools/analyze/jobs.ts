import type { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import type { JobStatus, ToolContext, ToolProgress } from '../contract.ts';
import { visibleText } from '../visible.ts';
import type { jobSchema } from './fields.ts';

/** How tools tell of a job. */

export function showJob({
  id,
  title,
  state,
  startedAt,
  endedAt,
  progress,
  error,
}: JobStatus): z.input<typeof jobSchema> {
  return {
    id,
    title: visibleText(title, 2000),
    state,
    started_at: startedAt,
    ...(endedAt === undefined ? {} : { ended_at: endedAt }),
    phase: visibleText(progress.phase, 60),
    ...(progress.share === undefined ? {} : { share: progress.share }),
    ...(error === undefined ? {} : { error: visibleText(error, 2000) }),
  };
}

export function needJob(status: JobStatus | null, id: string, { jobs }: Pick<ToolContext, 'jobs'>): JobStatus {
  if (status !== null) return status;
  const known = jobs
    .list()
    .slice(-4)
    .map((each) => each.id);
  throw new UsageError(`there is no job ${id}`, {
    hint: known.length === 0 ? 'none was started here' : `the newest are ${known.toReversed().join(', ')}`,
  });
}

/** A caller who no longer waits for what it started does not want it any more. */
async function waitOrCancel(id: string, timeoutMs: number, { jobs, signal }: ToolContext): Promise<JobStatus> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) resolve();
  try {
    const waited = jobs.wait(id, timeoutMs);
    await Promise.race([waited, aborted]);
    const status = signal.aborted ? await jobs.cancel(id) : await waited;
    return needJob(status, id, { jobs });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export interface JobWork<Result> {
  readonly title: string;
  readonly waitSeconds: number;
  work(signal: AbortSignal, progress: (progress: ToolProgress) => void): Promise<Result>;
}

export interface StartedJob<Result> {
  readonly status: JobStatus;
  /** Null while it runs, and where it failed. */
  readonly result: Result | null;
}

export async function startJob<Result>(job: JobWork<Result>, context: ToolContext): Promise<StartedJob<Result>> {
  const { jobs, progress, out } = context;
  const started = jobs.start(job.title, (signal, tell) =>
    job.work(signal, (told) => {
      tell(told);
      progress(told);
    }),
  );
  const status = job.waitSeconds === 0 ? started : await waitOrCancel(started.id, job.waitSeconds * secondMs, context);
  tellJob(status, out);
  return { status, result: jobs.result(started.id) as Result | null };
}

export function tellJob({ id, state, progress, error }: JobStatus, out: ToolContext['out']): void {
  if (state === 'running') {
    const share = progress.share === undefined ? '' : `, ${Math.round(progress.share * 100)} %`;
    out.say(
      `Job ${id} is running (${progress.phase}${share}). Ask job_status or job_result for it; job_cancel ends it.`,
    );
    return;
  }
  out.say(`Job ${id} is ${state}.`);
  if (error !== undefined) out.quote({ label: `why job ${id} failed`, text: error });
}
