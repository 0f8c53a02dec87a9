import { exitCodes, UsageError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import { readLabOptions, readProbeOptions } from '../../settings/index.ts';
import type { ToolDefinition } from '../../tools/contract.ts';
import {
  callTool,
  type OpenJobBoard,
  openJobBoard,
  openToolLab,
  openToolLedger,
  openToolProbe,
  type ToolAnswer,
  type ToolHost,
  toolsets,
} from '../../tools/index.ts';
import { untilInterrupted } from '../analyze/interruptible.ts';
import type { Door } from '../definition.ts';
import { exitCodeOf } from '../interrupts.ts';
import { reportError } from '../report-error.ts';
import { ownWords } from '../scan/words.ts';
import { tellPhases } from '../tell-phases.ts';
import { formatJson } from '../terminal/index.ts';
import { flagsOf } from './flags.ts';
import { renderToolHelp, renderToolList } from './help.ts';
import { readFlags } from './read-flags.ts';

function findTool(name: string): ToolDefinition {
  const tools = Object.values(toolsets).flatMap((set) => set.tools);
  const found = tools.find((tool) => tool.name === name.replaceAll('-', '_'));
  if (found !== undefined) return found;
  const nearest = findNearest(
    name,
    tools.map((tool) => tool.name),
  );
  throw new UsageError(`there is no tool called ${JSON.stringify(name.slice(0, 200))}`, {
    hint: nearest === null ? 'hotcell tool lists them' : `did you mean ${nearest}?`,
  });
}

const lookAgainMs = 500;

/** A job ends with the command that started it: so the command stays until it is done. */
async function awaitJob(answer: ToolAnswer, board: OpenJobBoard, host: ToolHost): Promise<ToolAnswer> {
  const [started] = board.list();
  if (started === undefined || answer.isError) return answer;
  const { signal, ...rest } = host;
  for (let { state } = started; state === 'running'; ) {
    const status =
      signal?.aborted === true ? await board.cancel(started.id) : await board.wait(started.id, lookAgainMs);
    if (status !== null) host.progress?.(status.progress);
    state = status?.state ?? 'cancelled';
  }
  const told = started.state === 'running' ? await callTool(findTool('job_result'), { job: started.id }, rest) : answer;
  const { state, error, exitCode = exitCodes.incomplete } = board.status(started.id) ?? started;
  if (state !== 'failed') return told;
  return { ...told, isError: true, error: { message: error ?? 'the job failed' }, exitCode };
}

function show({ error, text, structured, isError }: ToolAnswer, isJson: boolean, door: Door): void {
  const { stdout, stderr, errorTerminal } = door;
  if (!isError) {
    stdout.write(isJson ? formatJson(structured) : `${text}\n`);
    return;
  }
  const { message, hint } = error ?? { message: text };
  const lines = [message, ...(hint === undefined ? [] : [hint])].map((line) => forTerminal(untrusted(line)));
  stderr.write(`${errorTerminal.style.bad('hotcell:')} ${lines.join('\n  ')}\n`);
}

export async function runToolCommand(words: readonly string[], door: Door): Promise<number> {
  const [name, ...rest] = ownWords(words, door).filter((word, at, all) => word !== '--' || at < all.length - 1);
  if (name === undefined) {
    door.stdout.write(renderToolList(Object.values(toolsets), door.terminal));
    return exitCodes.clean;
  }
  const definition = findTool(name);
  const { input, isJson, isHelp } = readFlags(rest, door.trailing, flagsOf(definition));
  if (isHelp) {
    door.stdout.write(renderToolHelp(definition, door.terminal));
    return exitCodes.clean;
  }
  return untilInterrupted(door, async (signal, interrupts) => {
    // Closed after the board: what ends a job may still be told.
    await using ledger = openToolLedger(door.settings.values);
    await using lab = openToolLab(definition.toolset === 'lab' ? readLabOptions({}, door.caller, door.settings) : null);
    const { caller } = door;
    await using probe = openToolProbe(
      definition.toolset === 'probe' ? readProbeOptions({}, caller, door.settings) : null,
    );
    await using board = openJobBoard();
    const { environment, folder, homeFolder } = door.caller;
    const { settings } = door;
    const onInternalError = (error: unknown): void => {
      const isDebug = door.settings.values.logLevel === 'debug';
      if (isDebug) door.stderr.write(reportError(error, door.errorTerminal.style, true).text);
    };
    const tellPhase = tellPhases(door);
    const host: ToolHost = {
      settings,
      environment,
      folder,
      homeFolder,
      jobs: board,
      lab: lab.open,
      probe: probe.open,
      signal,
      progress: ({ phase }) => tellPhase(phase),
      record: ledger.record,
      onInternalError,
    };
    const answer = await awaitJob(await callTool(definition, input, host), board, host);
    show(answer, isJson, door);
    const received = interrupts.received();
    return received === null ? answer.exitCode : exitCodeOf(received);
  });
}
