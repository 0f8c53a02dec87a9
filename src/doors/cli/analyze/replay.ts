import { chooseFinding, focusOf } from '../../../instruments/analyze/run/focus.ts';
import { judgeReplay } from '../../../instruments/analyze/run/judge-replay.ts';
import { planAgain } from '../../../instruments/analyze/run/plan-again.ts';
import { type RunRecord, readRunRecord } from '../../../instruments/analyze/run/run-record.ts';
import { readAnalysisVariables } from '../../settings/index.ts';
import { chooseBackend } from '../../tools/runs/choose-backend.ts';
import { loadRun } from '../../tools/runs/load-run.ts';
import { type Analyze, analyzeTarget, runTarget } from '../../tools/runs/one-target.ts';
import type { Door } from '../definition.ts';
import { formatJson } from '../terminal/index.ts';
import type { RunFlags } from './flags.ts';
import { untilInterrupted } from './interruptible.ts';
import { LiveProgress } from './live-progress.ts';
import { modeOf } from './progress-mode.ts';
import { renderReplay, replayExits } from './replay-result.ts';
import { readWishes } from './wishes.ts';

/** Values of variables are not kept with a run: whoever gave them has to give them again. */
function forgotten(record: RunRecord | null, { env, header }: RunFlags): readonly string[] {
  const given = [...env, ...header].map((pair) => pair.split(/[=:]/)[0]?.trim());
  const missing = (names: readonly string[], flag: string): readonly string[] =>
    names.filter((name) => !given.includes(name)).map((name) => `${flag} ${name}`);
  const all = [...missing(record?.variables ?? [], '--env'), ...missing(record?.headers ?? [], '--header')];
  return all.length === 0
    ? []
    : [`that run was given ${all.join(', ')}, which is not kept: give it again if it matters`];
}

async function readAgain(flags: RunFlags, record: RunRecord | null, door: Door) {
  const variables = await readAnalysisVariables(door.caller);
  const asked = { ...flags, budget: record?.budget, seed: record?.seed, network: record?.hasNetwork ?? true };
  const read = readWishes(asked, variables, door.caller.environment);
  const { wishes } = read;
  return {
    backend: chooseBackend(door.settings, variables),
    notes: [...read.notes, ...forgotten(record, flags)],
    wishes: {
      ...wishes,
      ...(record === null ? {} : { patienceMs: flags.patience === undefined ? record.patienceMs : wishes.patienceMs }),
      args: flags.arg.length === 0 ? (record?.args ?? []) : wishes.args,
      props: flags.prop.length === 0 ? (record?.props ?? []) : wishes.props,
    },
  };
}

export async function runReplayCommand(
  flags: RunFlags,
  words: readonly string[],
  door: Door,
  analyze: Analyze = analyzeTarget,
): Promise<number> {
  const { stdout, stderr, terminal, errorTerminal } = door;
  const [given = '', wanted = ''] = words;
  const run = await loadRun(given, door);
  const chosen = chooseFinding(run.report, wanted);
  const { focus } = focusOf(chosen);
  const record = await readRunRecord(run.folder);
  const planned = planAgain(chosen, record, { cwd: door.caller.folder, home: door.caller.homeFolder });
  const { wishes, backend, notes } = await readAgain(flags, record, door);
  for (const note of notes) stderr.write(`${errorTerminal.style.warn(`hotcell: ${note}`)}\n`);
  return untilInterrupted(door, async (signal) => {
    const live = new LiveProgress(stderr, errorTerminal, { mode: modeOf(flags, door), isNamed: false });
    const track = live.open(planned.spec, wishes.mostMs);
    const setup = {
      analyze,
      wishes: { ...wishes, model: null, focus },
      targetWishes: { offline: flags.offline },
      backend,
      folder: flags.folder,
      isPinned: false,
      signal,
      door,
    };
    const outcome = await runTarget(planned, undefined, setup, track).finally(() => live.close());
    if (outcome.is === 'failed' && !outcome.isInterrupted) throw outcome.error;
    if (outcome.is !== 'analysed') {
      stderr.write('hotcell: interrupted before anything could be said\n');
      return replayExits.inconclusive;
    }
    const { report, folder } = outcome.analysed;
    const result = judgeReplay(report, chosen.finding, focus, outcome.isInterrupted);
    const { is, because, proof } = result;
    const text = flags.json
      ? formatJson({ is, because, finding: chosen.finding.id, proof, folder })
      : renderReplay(result, chosen.finding, folder, terminal);
    stdout.write(text);
    return replayExits[is];
  });
}
