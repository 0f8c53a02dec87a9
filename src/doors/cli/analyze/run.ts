import { exitCodes } from '../../../base/errors.ts';
import { type PlannedTarget, ruleCatalogue } from '../../../instruments/analyze/scan/index.ts';
import { type Analyze, analyzeTarget, type Outcome, type RunSetup, runTarget } from '../../tools/runs/one-target.ts';
import { makePlan } from '../../tools/runs/prepare.ts';
import type { Door } from '../definition.ts';
import { renderPlan } from '../scan/plan.ts';
import { ownWords, writeFileOrFail } from '../scan/words.ts';
import { combineExitCodes } from './exit-code.ts';
import type { AnalyzeFlags } from './flags.ts';
import { inOrder } from './in-order.ts';
import { untilInterrupted } from './interruptible.ts';
import { mergeReports } from './merge-reports.ts';
import { applyOlderFlags } from './older-flags.ts';
import { type AnalyzeCommand, readCommand } from './read-command.ts';
import { createReporter, type Reporter } from './reporter.ts';

async function writeOutputs(outcomes: readonly Outcome[], { outputs, format }: AnalyzeCommand, door: Door) {
  const analysed = outcomes.flatMap((outcome) => (outcome.is === 'analysed' ? [outcome.analysed] : []));
  const report = mergeReports(analysed.map((each) => each.report));
  if (report === null) return;
  const boms = analysed.flatMap((each) => each.report.subjects.map(() => each.bom));
  const input = { report, rules: ruleCatalogue(), boms };
  for (const { path, renderer } of outputs) await writeFileOrFail(path, door.caller.folder, renderer.render(input));
  if (format !== null) door.stdout.write(format.render(input));
}

async function runAll(
  targets: readonly PlannedTarget[],
  command: AnalyzeCommand,
  setup: RunSetup & { readonly door: Door },
  reporter: Reporter,
): Promise<number> {
  const outcomes: Outcome[] = [];
  const codes: ReturnType<Reporter['show']>[] = [];
  const isSeveral = targets.length > 1;
  try {
    await inOrder(
      targets,
      command.jobs,
      async (planned, index) => {
        const listener = reporter.open(planned);
        const outcome = await runTarget(planned, isSeveral ? String(index + 1) : undefined, setup, listener);
        listener.end();
        return outcome;
      },
      async (outcome) => {
        outcomes.push(outcome);
        codes.push(reporter.show(outcome));
      },
    );
  } finally {
    reporter.close();
  }
  const [only] = outcomes;
  await writeOutputs(outcomes, command, setup.door);
  if (!isSeveral && only?.is === 'failed' && !only.isInterrupted) throw only.error;
  return combineExitCodes(codes);
}

export async function runAnalyzeCommand(
  flags: AnalyzeFlags,
  words: readonly string[],
  door: Door,
  /** What does the work; tests hand in their own. */
  analyze: Analyze = analyzeTarget,
): Promise<number> {
  const { stdout, stderr, terminal, errorTerminal } = door;
  const command = await readCommand(flags, door);
  const plan = await makePlan(applyOlderFlags(ownWords(words, door), flags), door.trailing, door);
  const notes = [...plan.problems, ...command.notes];
  for (const note of notes) stderr.write(`${errorTerminal.style.warn(`hotcell: ${note}`)}\n`);
  if (flags.list || plan.targets.length === 0) {
    stdout.write(renderPlan(plan, terminal));
    return plan.targets.length === 0 && !flags.list ? exitCodes.usage : exitCodes.clean;
  }
  return untilInterrupted(door, async (signal) => {
    const reporter = createReporter(flags, command, door, plan.targets.length > 1);
    signal.addEventListener('abort', () => reporter.noteInterrupt(), { once: true });
    const setup = {
      analyze,
      wishes: { ...command.wishes, model: command.model },
      targetWishes: flags,
      backend: command.backend,
      folder: flags.folder,
      isPinned: true,
      signal,
      door,
    };
    return runAll(plan.targets, command, setup, reporter);
  });
}
