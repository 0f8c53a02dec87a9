import { availableParallelism, freemem } from 'node:os';
import { describeError, exitCodes, HostError, isKnownError } from '../../../base/errors.ts';
import { mebibyte, secondMs } from '../../../base/limits.ts';
import type { ExecResult } from '../../../engine/connector/contract.ts';
import {
  buildArguments,
  type Catalogue,
  judgeExit,
  parseOutput,
  type ToolEntry,
  toolsFor,
} from '../catalogue/index.ts';
import { quoteForDisplay } from '../commands/index.ts';
import type { AnalyserResult, Depth, Kind } from '../contract.ts';
import type { ToolRun } from '../report/schema.ts';
import type { Desk, DeskSample, MadeFile, Workbench } from '../workbench/contract.ts';

/** External tools on one sample: as many at once as there are cores and memory, each on a desk of its own when it writes. */

export interface ToolOutcome {
  readonly run: ToolRun;
  readonly result: AnalyserResult;
  readonly stdout: Buffer;
  readonly made: readonly MadeFile[];
  /** Where the copy lay: names of ours that tools repeat, and no indicators. */
  readonly deskFile: string;
  readonly deskFolder: string;
  /** Its output shows what is in the sample, and not only what the sample is. */
  readonly isSearched: boolean;
}

export interface NotRun {
  readonly id: string;
  readonly because: string;
  readonly what_to_do: string;
}

export interface ToolsOrder {
  readonly workbench: Workbench;
  readonly catalogue: Catalogue;
  readonly sample: DeskSample;
  readonly kind: Kind;
  readonly depth: Depth;
  /** What of the catalogue is there. */
  readonly programs: ReadonlyMap<string, string>;
  /** A lower limit than that of the catalogue; null: the catalogue's. */
  readonly timeoutMs: number | null;
  readonly signal: AbortSignal;
  readonly onEnd?: (id: string, done: number, total: number) => void;
}

/** How the reason begins where tools could not run because nothing would hold them. */
export const noBox = 'no box can be made here';
const runItAlone = 'run it by itself with run_tool';
/** Tools that tell about a file: names, hashes and dates of it are no indicators. */
const aboutTags: ReadonlySet<string> = new Set(['triage', 'metadata']);
const executableName = /\.(exe|dll|sys|scr|com|drv|cpl|ocx)$/i;
const mostOutputBytes = 10 * mebibyte;
const keptBytes = 512 * 1024;

function decode(bytes: Buffer): string {
  return bytes.toString('utf8');
}

function statusOf(judged: { readonly status: ToolRun['status'] }, { hasTimedOut }: ExecResult): ToolRun['status'] {
  return hasTimedOut ? 'timed-out' : judged.status;
}

async function runOne(entry: ToolEntry, program: string, desk: Desk, order: ToolsOrder): Promise<ToolOutcome> {
  const argv = buildArguments(entry, { file: desk.files[0] ?? '', output: desk.output });
  const limitMs = entry.timeoutSeconds * secondMs;
  const ended = await desk.run(
    { argv },
    {
      timeoutMs: order.timeoutMs === null ? limitMs : Math.min(limitMs, order.timeoutMs),
      signal: order.signal,
      maxOutputBytes: mostOutputBytes,
    },
  );
  order.signal.throwIfAborted();
  // All of the output is read before any of it is shortened.
  const result = parseOutput(entry, ended.stdout);
  const judged = judgeExit(entry, ended, result.findings.length);
  const made = entry.writesFiles ? await desk.made(order.signal) : { files: [], notes: [] };
  const dropped = ended.droppedStdoutBytes + ended.droppedStderrBytes;
  const notes = [
    ...result.notes,
    ...made.notes,
    ...(dropped > 0 ? [`${dropped} bytes of output were not kept: the limit is ${mostOutputBytes}`] : []),
  ];
  const shownError = judged.status === 'failed' ? `\n${decode(ended.stderr.subarray(-2048))}` : '';
  return {
    run: {
      id: entry.id,
      command: quoteForDisplay(argv),
      program,
      status: statusOf(judged, ended),
      meaning: judged.meaning,
      exit_code: ended.code,
      elapsed_ms: Math.round(ended.elapsedMs),
      finding_count: result.findings.length,
      output: decode(ended.stdout.subarray(0, keptBytes)) + shownError,
      output_bytes: ended.stdout.length + ended.droppedStdoutBytes,
      saved_to: null,
      facts: result.facts as ToolRun['facts'],
      notes,
    },
    result,
    stdout: ended.stdout,
    made: made.files,
    deskFile: desk.files[0] ?? desk.folder,
    deskFolder: desk.folder,
    isSearched: entry.parser === null && !entry.tags.some((tag) => aboutTags.has(tag)),
  };
}

function isWithoutBox(error: unknown): error is HostError {
  return error instanceof HostError && error.exitCode === exitCodes.noIsolation;
}

/** A tool that writes gets a desk for itself; the others share one. */
async function onDesk(
  entry: ToolEntry,
  program: string,
  shared: () => Promise<Desk>,
  order: ToolsOrder,
): Promise<ToolOutcome> {
  if (!entry.writesFiles) return runOne(entry, program, await shared(), order);
  await using desk = await order.workbench.open([order.sample], order.signal);
  return await runOne(entry, program, desk, order);
}

/** How many may run side by side: cores, and what memory they are expected to take. */
function places(entries: readonly ToolEntry[]): number {
  const largest = Math.max(64, ...entries.map(({ memoryMiB }) => memoryMiB));
  const byMemory = Math.floor(freemem() / 2 / (largest * mebibyte));
  return Math.max(1, Math.min(entries.length, 2 * availableParallelism(), byMemory));
}

export async function runTools(
  order: ToolsOrder,
): Promise<{ readonly outcomes: readonly ToolOutcome[]; readonly notRun: readonly NotRun[] }> {
  const { workbench, kind, depth, programs, signal } = order;
  const hasExecutableName = kind.nameMismatch !== undefined && executableName.test(order.sample.name);
  const entries = toolsFor(order.catalogue, kind.id, depth, { hasExecutableName });
  // Tools that execute what they are given do so in a place that is made for it, or not at all.
  const isUnheld = workbench.confinement.kind === 'none';
  const automatic = entries.filter(({ isAutomatic, runsSample }) => isAutomatic && !(isUnheld && runsSample));
  const ready = automatic.filter(({ command }) => programs.has(command));
  const notRun: NotRun[] = [
    ...automatic
      .filter(({ command }) => !programs.has(command))
      .map(({ id, command, whenMissing }) => ({
        id,
        because: `${command} is not installed there`,
        what_to_do: whenMissing,
      })),
    ...entries
      .filter(({ isAutomatic, runsSample }) => isAutomatic && isUnheld && runsSample)
      .map(({ id }) => ({
        id,
        because: 'it executes the sample, and nothing would hold it here',
        what_to_do: 'start the lab without --sandbox off',
      })),
    ...entries
      .filter(({ isAutomatic }) => !isAutomatic)
      .map(({ id, command }) => ({
        id,
        because: 'it needs words that only the analyst knows',
        what_to_do: `get_tool_help for ${command}, then run_tool`,
      })),
  ];
  if (ready.length === 0) return { outcomes: [], notRun };
  const outcomes: (ToolOutcome | undefined)[] = ready.map(() => undefined);
  let desk: Promise<Desk> | null = null;
  const shared = (): Promise<Desk> => {
    desk ??= workbench.open([order.sample], signal);
    return desk;
  };
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < ready.length; at = next++) {
      const entry = ready[at];
      if (entry === undefined) return;
      signal.throwIfAborted();
      try {
        outcomes[at] = await onDesk(entry, order.programs.get(entry.command) ?? '', shared, order);
      } catch (error) {
        // A tool that leaves its desk in ruins takes nothing with it but its own result.
        if (signal.aborted || !isKnownError(error) || isWithoutBox(error)) {
          next = ready.length;
          throw error;
        }
        notRun.push({ id: entry.id, because: `its work was lost: ${describeError(error)}`, what_to_do: runItAlone });
      }
      done += 1;
      order.onEnd?.(entry.id, done, ready.length);
    }
  };
  try {
    // All of them have left their desks before anybody is told: whoever cancels may close the lab right then.
    const ends = await Promise.allSettled(Array.from({ length: places(ready) }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } catch (error) {
    // Our own analysers need no box: what they see is told, and why the tools did not run.
    if (!isWithoutBox(error)) throw error;
    const because = `${noBox}: ${describeError(error)}`;
    const todo = error.hint ?? 'hotcell doctor says what is missing';
    return { outcomes: [], notRun: [...notRun, ...ready.map(({ id }) => ({ id, because, what_to_do: todo }))] };
  } finally {
    await (desk as Promise<Desk> | null)?.then((opened) => opened.close()).catch(() => {});
  }
  return { outcomes: outcomes.filter((outcome) => outcome !== undefined), notRun };
}
