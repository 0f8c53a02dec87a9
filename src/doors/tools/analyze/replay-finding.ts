import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { callerOf } from '../runs/caller.ts';
import { visible } from '../visible.ts';
import { entrySchema, findingField, jobSchema, offlineField, runField, variablesField, waitField } from './fields.ts';
import { showJob, startJob } from './jobs.ts';

const resultSchema = z.strictObject({
  answer: z.enum(['confirmed', 'not reproduced', 'inconclusive']),
  because: z.string().max(2000),
  finding: z.string().max(16),
  run: z.string().max(128).describe('the new run that did it again'),
  proof: entrySchema.nullable(),
});
type Replayed = z.infer<typeof resultSchema>;

export const replayFinding = defineTool({
  name: 'replay_finding',
  title: 'Do one finding again',
  description:
    'Starts a job that runs the same version of the same target again, and only what one finding is about, and says whether it comes about. Values of variables are not kept with a run and have to be given again.',
  toolset: 'analyze',
  input: z.strictObject({
    run: runField,
    finding: findingField,
    environment: variablesField,
    offline: offlineField,
    wait_seconds: waitField,
  }),
  output: z.strictObject({ job: jobSchema, result: resultSchema.nullable() }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  limits: { timeoutMs: 61 * minuteMs, outputBytes: 64 * kibibyte },
  examples: [{ input: { run: 'latest', finding: '1f0c22ab', wait_seconds: 60 }, says: 'a finding of the newest run' }],
  async handle(input, context) {
    const [{ loadKeptRun }, { chooseFinding, focusOf }, { judgeReplay }, { planAgain }, { readRunRecord }, shared] =
      await Promise.all([
        import('../runs/load-run.ts'),
        import('../../../instruments/analyze/run/focus.ts'),
        import('../../../instruments/analyze/run/judge-replay.ts'),
        import('../../../instruments/analyze/run/plan-again.ts'),
        import('../../../instruments/analyze/run/run-record.ts'),
        import('./run-analysis.ts'),
      ]);
    const { usualWishes } = await import('../../../instruments/analyze/run/wishes.ts');
    const caller = callerOf(context);
    const run = await loadKeptRun(input.run, context.settings.values.home);
    const chosen = chooseFinding(run.report, input.finding);
    const { focus } = focusOf(chosen);
    const record = await readRunRecord(run.folder);
    const planned = planAgain(chosen, record, { cwd: context.folder, home: context.homeFolder });
    const { id } = chosen.finding;
    await context.record({ tool: 'replay_finding', what: 'replay', details: { run: run.name, finding: id } });
    const wishes = { ...usualWishes, ...wishesOf(record), environment: input.environment, focus };
    const { status, result } = await startJob<Replayed>(
      {
        title: `replay ${id} of ${run.name}`,
        waitSeconds: input.wait_seconds,
        work: async (signal, tell) => {
          const work = { planned, wishes, isOffline: input.offline, isPinned: false, caller };
          const ended = await shared.runAnalysis(work, signal, tell);
          const { is, because, proof } = judgeReplay(ended.analysed.report, chosen.finding, focus, ended.isInterrupted);
          return { answer: is, because, finding: id, run: ended.run, proof: proof === null ? null : visible(proof) };
        },
      },
      context,
    );
    if (result !== null) {
      context.out.say(`${result.answer}: ${result.because}. The new run is ${result.run}.`);
      if (result.proof !== null)
        context.out.quote({ label: `the proof of ${id}`, text: JSON.stringify(result.proof, null, 1) });
    }
    return { job: showJob(status), result };
  },
});

type KeptRecord = Awaited<ReturnType<typeof import('../../../instruments/analyze/run/run-record.ts').readRunRecord>>;

/** What is kept of how the run was asked for. */
function wishesOf(record: KeptRecord) {
  if (record === null) return {};
  const { budget, mostMs, patienceMs, args, props, hasNetwork, seed } = record;
  return { budget, mostMs, patienceMs, args, props, hasNetwork, seed };
}
