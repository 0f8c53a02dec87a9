import { z } from 'zod';
import { kibibyte, minuteMs, secondMs } from '../../../base/limits.ts';
import { jobSchema, waitField } from '../analyze/fields.ts';
import { showJob, startJob } from '../analyze/jobs.ts';
import type { ToolContext } from '../contract.ts';
import { visible } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { record as anyRecord, depthField, fileField, passwordsField } from './fields.ts';

export const analyzeFile = defineLabTool({
  name: 'analyze_file',
  title: 'Everything about a sample',
  description:
    'Looks at a sample with all analysers for its kind and with every installed tool of the depth, side by side, and joins what they say: findings with their evidence and harmless explanations, indicators, inner files, what was not run and why, next steps. It gives no verdict. The sample is never changed. Asked for, ELF programs and scripts are run in a cell of gVisor with decoys and a fake internet.',
  input: z.strictObject({
    file: fileField,
    depth: depthField,
    timeout_per_tool: z
      .number()
      .min(1)
      .max(3600)
      .optional()
      .describe('a lower limit in seconds for each external tool'),
    passwords: passwordsField,
    detonate: z.boolean().default(false).describe('run it in a cell as well: ELF programs and scripts only'),
    detonate_seconds: z.number().int().min(1).max(600).default(20).describe('how long it may run there'),
    fresh: z.boolean().default(false).describe('do not take a result that is kept'),
    wait_seconds: waitField
      .default(600)
      .describe('after this the answer is the id of a job that goes on; 0 returns at once'),
  }),
  data: z.strictObject({
    job: jobSchema,
    report: anyRecord.nullable().describe('as docs/schema/lab-report.json tells'),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 61 * minuteMs, outputBytes: 1000 * kibibyte },
  examples: [
    { input: { file: 'sample.exe' }, says: 'with everything of the standard depth' },
    {
      input: { file: 'sample.elf', depth: 'quick', detonate: true },
      says: 'a quick look, and what it does when it runs',
    },
  ],
  async handle(input, context) {
    const { open, out } = context;
    const { analyseSample } = await import('../../../instruments/lab/analysis/analyse.ts');
    const { shortenReport } = await import('../../../instruments/lab/analysis/shorten.ts');
    const { tellReport } = await import('./tell-report.ts');
    // A name that stands for nothing is an error of the call and not of a job that nobody asks for.
    await open.samples.find(input.file, context.signal);
    await context.record({
      tool: 'analyze_file',
      what: 'analyze',
      action: 'lab.analyze',
      details: { depth: input.depth, detonate: input.detonate },
      secrets: { file: input.file },
    });
    const { status, result } = await startJob<Record<string, unknown>>(
      {
        title: `analyze ${input.file}`,
        waitSeconds: input.wait_seconds,
        work: async (signal, tell) => {
          const report = await analyseSample(open, {
            file: input.file,
            depth: input.depth,
            toolTimeoutMs: input.timeout_per_tool === undefined ? null : input.timeout_per_tool * secondMs,
            passwords: input.passwords,
            isDetonated: input.detonate,
            detonationSeconds: input.detonate_seconds,
            isFresh: input.fresh,
            signal,
            progress: (phase, share) => tell({ phase, ...(share === undefined ? {} : { share }) }),
          });
          return visible(shortenReport(report));
        },
      },
      context satisfies ToolContext,
    );
    if (result !== null) tellReport(result, out);
    return { job: showJob(status), report: result };
  },
});
