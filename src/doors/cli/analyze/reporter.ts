import { type ExitCode, exitCodes } from '../../../base/errors.ts';
import type { PlannedTarget } from '../../../instruments/analyze/scan/index.ts';
import { describeFailure, type Listener, type Outcome } from '../../tools/runs/one-target.ts';
import { runsFolder } from '../../tools/runs/run-folder.ts';
import type { Door } from '../definition.ts';
import { EventLines } from './event-lines.ts';
import { exitCodeFor } from './exit-code.ts';
import { LiveProgress } from './live-progress.ts';
import { modeOf } from './progress-mode.ts';
import type { AnalyzeCommand } from './read-command.ts';
import { nameOfRun, renderResult } from './render.ts';
import { safe } from './safe.ts';

/** Everything that is said about the runs of one command, on the way and at the end. */
export interface Reporter {
  open(planned: PlannedTarget): Listener & { end(): void };
  /** Says what came of a target, and what that means for the exit code. */
  show(outcome: Outcome): ExitCode;
  noteInterrupt(): void;
  close(): void;
}

interface Flags {
  readonly quiet: boolean;
  readonly json: boolean;
  readonly details: boolean;
}

function codeOf(outcome: Outcome, { gate }: AnalyzeCommand): ExitCode {
  if (outcome.is === 'skipped') return exitCodes.incomplete;
  if (outcome.is === 'failed') return outcome.exitCode;
  return exitCodeFor(outcome.analysed.report, gate, outcome.isInterrupted);
}

function resultLine(outcome: Outcome, exitCode: ExitCode) {
  const analysed = outcome.is === 'analysed' ? outcome.analysed : null;
  return {
    kind: 'result',
    target: outcome.planned.spec,
    verdict: analysed?.report.subjects[0]?.analysis?.verdict ?? null,
    folder: analysed?.folder ?? null,
    exitCode,
    isInterrupted: outcome.is === 'skipped' || outcome.isInterrupted,
    ...(outcome.is === 'failed' ? { error: describeFailure(outcome) } : {}),
  } as const;
}

export function createReporter(flags: Flags, command: AnalyzeCommand, door: Door, isSeveral: boolean): Reporter {
  const { stdout, stderr, terminal, errorTerminal, settings } = door;
  const live = new LiveProgress(stderr, errorTerminal, { mode: modeOf(flags, door), isNamed: isSeveral });
  const lines = flags.json ? new EventLines(stdout) : null;
  const warn = (text: string): boolean => stderr.write(`${errorTerminal.style.warn(`hotcell: ${safe(text)}`)}\n`);
  const print = (outcome: Outcome): void => {
    if (outcome.is === 'skipped') warn(`${outcome.planned.spec}: not begun`);
    // A single target that failed is told of like every other error.
    else if (outcome.is === 'failed' && (isSeveral || outcome.isInterrupted)) warn(describeFailure(outcome));
    if (outcome.is !== 'analysed') return;
    const { isInterrupted } = outcome;
    const { report, folder } = outcome.analysed;
    for (const problem of outcome.problems) warn(problem);
    if (lines !== null || command.format !== null) return;
    const kept = { folder, name: nameOfRun(folder, runsFolder(settings.values.home)) };
    stdout.write(
      `${renderResult(report, terminal, { isDetailed: flags.details, isInterrupted, kept })}${isSeveral ? '\n' : ''}`,
    );
  };
  return {
    open(planned) {
      const track = live.open(planned.spec, command.wishes.mostMs);
      return {
        tell(progress) {
          track.tell(progress);
          lines?.tell(planned.spec, progress);
        },
        say: (what) => track.say(what),
        end: () => track.end(),
      };
    },
    show(outcome) {
      const exitCode = codeOf(outcome, command);
      live.pause();
      print(outcome);
      lines?.end(resultLine(outcome, exitCode));
      return exitCode;
    },
    noteInterrupt: () => live.write('hotcell: ending; once more to end at once'),
    close: () => live.close(),
  };
}
