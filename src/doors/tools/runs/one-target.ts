import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, type ExitCode, exitCodes, isKnownError } from '../../../base/errors.ts';
import type { Analysed, AnalyzeContext, AnalyzeWishes, Progress } from '../../../instruments/analyze/run/index.ts';
import { type RunRecord, writeRunRecord } from '../../../instruments/analyze/run/run-record.ts';
import { writeRun } from '../../../instruments/analyze/run/write-run.ts';
import { type PlannedTarget, ruleCatalogue } from '../../../instruments/analyze/scan/index.ts';
import { describeTarget } from '../../../targets/ingest/target/parse.ts';
import type { Settings } from '../../settings/index.ts';
import type { RunCaller } from './caller.ts';
import { makeContext, type TargetWishes } from './prepare.ts';
import { openRunFolder } from './run-folder.ts';

/** One target from its plan to its folder of documents. */

export type Analyze = (planned: PlannedTarget, context: AnalyzeContext) => Promise<Analysed>;

/** The engine is loaded when there is something to run, so that a mistake in a command line is told at once. */
export const analyzeTarget: Analyze = async (planned, context) => {
  const { analyze } = await import('../../../instruments/analyze/run/index.ts');
  return analyze(planned, context);
};

export interface RunSetup {
  readonly analyze: Analyze;
  readonly wishes: AnalyzeWishes;
  readonly targetWishes: TargetWishes;
  readonly backend: Settings['backend'];
  /** The folder that was asked for, if one was. */
  readonly folder: string | undefined;
  /** What a server offered is remembered for the next time. */
  readonly isPinned: boolean;
  readonly signal: AbortSignal;
  readonly door: RunCaller;
}

export interface Listener {
  tell(progress: Progress): void;
  say(what: string): void;
}

export type Outcome =
  | {
      readonly is: 'analysed';
      readonly planned: PlannedTarget;
      readonly analysed: Analysed;
      /** Somebody ended it before it was done. */
      readonly isInterrupted: boolean;
      readonly problems: readonly string[];
    }
  | {
      readonly is: 'failed';
      readonly planned: PlannedTarget;
      readonly error: unknown;
      readonly exitCode: ExitCode;
      readonly isInterrupted: boolean;
    }
  /** The signal came before it was begun. */
  | { readonly is: 'skipped'; readonly planned: PlannedTarget };

function recordOf({ target }: PlannedTarget, { wishes, backend }: RunSetup): RunRecord {
  const { budget, mostMs, patienceMs, args, props, environment, headers, hasNetwork, seed } = wishes;
  return {
    format: 'hotcell-run',
    version: 1,
    target: describeTarget(target),
    backend,
    budget,
    mostMs,
    patienceMs,
    args: [...args],
    props: [...props],
    variables: Object.keys(environment),
    headers: Object.keys(headers),
    hasNetwork,
    seed,
  };
}

/** Rejects when the ledger cannot be written: then nobody is told the verdict either. */
async function recordRun({ target }: PlannedTarget, { report }: Analysed, { wishes, door }: RunSetup): Promise<void> {
  const [{ recordReport }, { detonationPolicy }] = await Promise.all([
    import('./record-report.ts'),
    import('../../../instruments/analyze/run/detonation-policy.ts'),
  ]);
  // What is running elsewhere has no box, and so no policy.
  const policy = target.kind === 'remote' ? {} : { policy: detonationPolicy(wishes) };
  await recordReport(report, door.settings.values, { tool: 'analyze', what: 'analyze', ...policy });
}

async function analyseAndWrite(
  planned: PlannedTarget,
  part: string | undefined,
  setup: RunSetup,
  listener: Listener,
): Promise<Outcome> {
  const { door, wishes, backend, signal } = setup;
  const { home, runtimeFolder, dockerSocket } = door.settings.values;
  const scan = await makeContext(setup.targetWishes, door, (what) => listener.say(what));
  const folder = await openRunFolder(setup.folder, door, { flag: '--folder', part });
  const context: AnalyzeContext = {
    scan,
    wishes,
    box: { backend, runtimeFolder, dockerSocket },
    folder,
    pinFolder: setup.isPinned ? join(home, 'pins') : null,
    signal,
    onProgress: (progress) => listener.tell(progress),
  };
  const analysed = await setup.analyze(planned, context).catch(async (error: unknown) => {
    // Only a folder that nothing was written to goes.
    await rmdir(folder).catch(() => {});
    throw error;
  });
  const isInterrupted = signal.aborted;
  const { problems } = await writeRun(analysed, ruleCatalogue());
  await writeRunRecord(analysed.folder, recordOf(planned, setup));
  await recordRun(planned, analysed, setup);
  return { is: 'analysed', planned, analysed, isInterrupted, problems };
}

/** `part` tells the runs of one command apart. What goes wrong is told, and never stands in the way of other targets. */
export async function runTarget(
  planned: PlannedTarget,
  part: string | undefined,
  setup: RunSetup,
  listener: Listener,
): Promise<Outcome> {
  if (setup.signal.aborted) return { is: 'skipped', planned };
  try {
    return await analyseAndWrite(planned, part, setup, listener);
  } catch (error) {
    const isInterrupted = setup.signal.aborted;
    const code = isKnownError(error) ? error.exitCode : exitCodes.internal;
    return { is: 'failed', planned, error, exitCode: isInterrupted ? exitCodes.incomplete : code, isInterrupted };
  }
}

export function describeFailure({ planned, error }: Extract<Outcome, { is: 'failed' }>): string {
  return `${planned.spec}: ${describeError(error)}`;
}
