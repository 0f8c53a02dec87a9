import { UsageError } from '../../../base/errors.ts';
import { createModel, type Model } from '../../../instruments/analyze/interrogate/model/index.ts';
import { readAnalysisVariables, type Settings } from '../../settings/index.ts';
import { chooseBackend } from '../../tools/runs/choose-backend.ts';
import type { Door } from '../definition.ts';
import { readFormat, readOutputs, readSeverity } from '../scan/wishes.ts';
import type { Gate } from './exit-code.ts';
import type { AnalyzeFlags } from './flags.ts';
import { readModelWish } from './model-wish.ts';
import { type ReadWishes, readJobs, readWishes } from './wishes.ts';

/** Everything that the command line and the variables say, understood before any work is done. */
export interface AnalyzeCommand {
  readonly gate: Gate;
  readonly format: ReturnType<typeof readFormat>;
  readonly outputs: ReturnType<typeof readOutputs>;
  readonly jobs: number;
  readonly wishes: ReadWishes['wishes'];
  readonly model: Model | null;
  readonly backend: Settings['backend'];
  readonly notes: readonly string[];
}

export async function readCommand(flags: AnalyzeFlags, door: Door): Promise<AnalyzeCommand> {
  const { caller, settings } = door;
  const gate = {
    failOn: readSeverity(flags.failOn),
    isExplicit: flags.failOn !== undefined,
    offlineOk: flags.offlineOk,
  };
  const format = readFormat(flags.format);
  if (flags.json && format !== null) {
    throw new UsageError('--json and --format both want stdout', {
      hint: '-o report.json writes a report beside --json',
    });
  }
  const outputs = readOutputs(flags.output);
  const jobs = readJobs(flags.jobs);
  const variables = await readAnalysisVariables(caller);
  const { wishes, notes } = readWishes(flags, variables, caller.environment);
  const model = readModelWish(flags, variables, caller.environment);
  return {
    gate,
    format,
    outputs,
    jobs,
    wishes,
    model: model.wish === null ? null : createModel(model.wish),
    backend: chooseBackend(settings, variables),
    notes: [...notes, ...model.notes],
  };
}
