import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { Analysed, AnalyzeWishes, Progress, Stage } from '../../../instruments/analyze/run/index.ts';
import type { PlannedTarget } from '../../../instruments/analyze/scan/index.ts';
import { readAnalysisVariables } from '../../settings/index.ts';
import type { ToolProgress } from '../contract.ts';
import type { RunCaller } from '../runs/caller.ts';
import { chooseBackend } from '../runs/choose-backend.ts';
import { analyzeTarget, runTarget } from '../runs/one-target.ts';

/** A target in its box, for a job: what it tells on the way becomes progress, and its end a run that is kept. */

/** How far a run is when a stage begins. */
const shares: Readonly<Record<Stage, number>> = {
  inspect: 0,
  fetch: 0.05,
  box: 0.1,
  install: 0.15,
  start: 0.25,
  handshake: 0.3,
  list: 0.32,
  use: 0.35,
  attack: 0.45,
  idle: 0.85,
  stop: 0.92,
  judge: 0.95,
};

/** Progress never goes back, whatever the order in which a run tells of itself. */
export function followProgress(tell: (progress: ToolProgress) => void): (progress: Progress) => void {
  let share = 0;
  let phase = 'inspect';
  return (progress) => {
    if (progress.kind === 'stage') {
      phase = progress.stage;
      share = Math.max(share, shares[progress.stage]);
    } else if (progress.kind === 'trials') {
      const done = Math.min(1, progress.made / Math.max(1, progress.planned));
      share = Math.max(share, shares.attack + done * (shares.idle - shares.attack));
    } else return;
    tell({ phase, share });
  };
}

export interface AnalysisWork {
  readonly planned: PlannedTarget;
  readonly wishes: AnalyzeWishes;
  readonly isOffline: boolean;
  readonly isPinned: boolean;
  readonly caller: RunCaller;
}

export interface AnalysisEnd {
  readonly analysed: Analysed;
  readonly run: string;
  readonly isInterrupted: boolean;
  readonly problems: readonly string[];
}

export async function runAnalysis(
  { planned, wishes, isOffline, isPinned, caller }: AnalysisWork,
  signal: AbortSignal,
  tell: (progress: ToolProgress) => void,
): Promise<AnalysisEnd> {
  const variables = await readAnalysisVariables({ ...caller.caller, userId: process.getuid?.() ?? 0 });
  const setup = {
    analyze: analyzeTarget,
    wishes,
    targetWishes: { offline: isOffline },
    backend: chooseBackend(caller.settings, variables),
    folder: undefined,
    isPinned,
    signal,
    door: caller,
  };
  // Several jobs of one process may begin in the same second.
  const part = randomBytes(3).toString('hex');
  const outcome = await runTarget(planned, part, setup, { tell: followProgress(tell), say: () => {} });
  if (outcome.is === 'failed') throw outcome.error;
  if (outcome.is === 'skipped') throw new UsageError('it was cancelled before it began');
  const { analysed, isInterrupted, problems } = outcome;
  return { analysed, run: basename(analysed.folder), isInterrupted, problems };
}
