import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { callerOf } from '../runs/caller.ts';
import { argsField, commandField, jobSchema, offlineField, targetField, variablesField, waitField } from './fields.ts';
import { showJob, startJob } from './jobs.ts';
import { type Summary, summarise, summarySchema, tellSummary } from './summary.ts';

export const analyzeServer = defineTool({
  name: 'analyze_server',
  title: 'Let an MCP server loose in a box',
  description:
    'Starts a job that installs, starts, uses and attacks one MCP server in a box that has no way out, and judges what it did, with proof. Returns the id of the job; with wait_seconds it waits that long and returns the result when it is there. The run is kept.',
  toolset: 'analyze',
  input: z.strictObject({
    target: targetField.optional(),
    command: commandField,
    budget: z
      .enum(['quick', 'standard', 'deep'])
      .default('standard')
      .describe('how many calls and trials: about half a minute, a minute, or up to 15 minutes'),
    args: argsField,
    environment: variablesField,
    offline: offlineField,
    seed: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'expected letters and digits')
      .max(200)
      .optional()
      .describe('the same seed makes the same trials'),
    wait_seconds: waitField,
  }),
  output: z.strictObject({ job: jobSchema, result: summarySchema.nullable() }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  limits: { timeoutMs: 61 * minuteMs, outputBytes: 64 * kibibyte },
  examples: [
    { input: { target: './my-server', wait_seconds: 120 }, says: 'start it and wait for the result' },
    { input: { target: 'npm:some-server', budget: 'quick' }, says: 'start it; job_result tells the result later' },
  ],
  async handle(input, context) {
    const [{ planOne }, { runAnalysis }, { budgetTimes, usualWishes }] = await Promise.all([
      import('./plan-one.ts'),
      import('./run-analysis.ts'),
      import('../../../instruments/analyze/run/wishes.ts'),
    ]);
    const caller = callerOf(context);
    const { budget, args, environment, offline, seed = usualWishes.seed } = input;
    const { planned, problems } = await planOne(input, caller);
    await context.record({
      tool: 'analyze_server',
      what: 'analyze',
      action: 'analyze.start',
      details: { kind: planned.target.kind, budget },
      secrets: { target: planned.spec },
    });
    const wishes = { ...usualWishes, budget, ...budgetTimes[budget], args, environment, seed };
    const { status, result } = await startJob<Summary>(
      {
        title: `analyze ${planned.spec}`,
        waitSeconds: input.wait_seconds,
        work: async (signal, tell) => {
          const work = { planned, wishes, isOffline: offline, isPinned: true, caller };
          const ended = await runAnalysis(work, signal, tell);
          const notes = [...problems, ...ended.problems, ...(ended.isInterrupted ? ['it was cut short'] : [])];
          const { report, folder } = ended.analysed;
          return summarise(report, { run: ended.run, folder, notes });
        },
      },
      context,
    );
    if (result !== null) tellSummary(result, context.out);
    return { job: showJob(status), result };
  },
});
