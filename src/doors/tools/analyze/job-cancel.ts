import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { jobField, jobSchema } from './fields.ts';
import { needJob, showJob, tellJob } from './jobs.ts';

export const jobCancel = defineTool({
  name: 'job_cancel',
  title: 'End a job',
  description: 'Ends a running job and everything that it started. One that has ended already stays as it is.',
  toolset: 'analyze',
  input: z.strictObject({ job: jobField }),
  output: z.strictObject({ job: jobSchema }),
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 16 * kibibyte },
  examples: [{ input: { job: 'job-0123456789abcdef' }, says: 'end it' }],
  async handle({ job }, context) {
    const status = needJob(await context.jobs.cancel(job), job, context);
    await context.record({ tool: 'job_cancel', what: 'cancel', details: { job } });
    tellJob(status, context.out);
    return { job: showJob(status) };
  },
});
