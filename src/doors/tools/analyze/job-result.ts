import { z } from 'zod';
import { kibibyte, minuteMs, secondMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { entrySchema, jobField, jobSchema, waitField } from './fields.ts';
import { needJob, showJob, tellJob } from './jobs.ts';
import { summarySchema, tellSummary } from './summary.ts';

export const jobResult = defineTool({
  name: 'job_result',
  title: 'What a job came to',
  description: 'Tells the result of a job, or null while it runs; with wait_seconds it waits for the end.',
  toolset: 'analyze',
  input: z.strictObject({ job: jobField, wait_seconds: waitField }),
  output: z.strictObject({ job: jobSchema, result: entrySchema.nullable() }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 61 * minuteMs, outputBytes: 320 * kibibyte },
  examples: [{ input: { job: 'job-0123456789abcdef', wait_seconds: 30 }, says: 'wait half a minute for it' }],
  async handle({ job, wait_seconds }, context) {
    const { jobs, out, signal } = context;
    const { promise: aborted, resolve } = Promise.withResolvers<null>();
    const onAbort = (): void => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([jobs.wait(job, wait_seconds * secondMs), aborted]);
    signal.removeEventListener('abort', onAbort);
    signal.throwIfAborted();
    const status = needJob(jobs.status(job), job, context);
    tellJob(status, out);
    const result = entrySchema.nullable().catch(null).parse(jobs.result(job));
    const summary = summarySchema.safeParse(result);
    if (summary.success) tellSummary(summary.data, out);
    else if (result !== null) out.quote({ label: `the result of ${job}`, text: JSON.stringify(result, null, 1) });
    return { job: showJob(status), result };
  },
});
