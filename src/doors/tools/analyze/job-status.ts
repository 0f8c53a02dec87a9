import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { jobField, jobSchema } from './fields.ts';
import { needJob, showJob, tellJob } from './jobs.ts';

export const jobStatus = defineTool({
  name: 'job_status',
  title: 'How far a job is',
  description: 'Tells the state and progress of one job, or of all jobs that are remembered.',
  toolset: 'analyze',
  input: z.strictObject({ job: jobField.optional() }),
  output: z.strictObject({ jobs: z.array(jobSchema).max(1000) }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 256 * kibibyte },
  examples: [
    { input: { job: 'job-0123456789abcdef' }, says: 'one job' },
    { input: {}, says: 'all of them' },
  ],
  async handle({ job }, context) {
    const { jobs, out } = context;
    const found = job === undefined ? jobs.list() : [needJob(jobs.status(job), job, context)];
    if (found.length === 0) out.say('No job was started here.');
    for (const status of found) tellJob(status, out);
    return { jobs: found.map(showJob) };
  },
});
