import { UsageError } from '../../../base/errors.ts';
import { kibibyte } from '../../../base/limits.ts';
import type { ExecResult } from '../../../engine/connector/contract.ts';
import { findTool, judgeExit, parseOutput, type ToolEntry } from '../catalogue/index.ts';
import type { ParsedOutput } from '../catalogue/parsers/contract.ts';
import { type Advisory, type ParsedCommand, parseCommand, type SeenCommand } from '../commands/index.ts';
import type { Lab } from '../lab.ts';
import type { HeldSample } from '../samples/room.ts';
import type { Desk, Made } from '../workbench/contract.ts';
import { composeLine } from './compose-line.ts';
import { saveMade, saveText } from './keep-output.ts';

/** One command line of an analyst: judged, given copies of the samples it names, run, and its output kept whole. */

export interface CommandOrder {
  readonly command: string;
  /** Added as last word of the first program. */
  readonly inputFile?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
}

export interface EvidenceCheck {
  readonly path: string;
  readonly sha256Before: string;
  readonly sha256After: string;
}

export interface CommandEnd {
  /** As it was run, with the paths that the program saw. */
  readonly command: string;
  readonly isShell: boolean;
  readonly ended: ExecResult;
  readonly status: string;
  readonly meaning: string;
  readonly advisories: readonly Advisory[];
  readonly parsed: ParsedOutput | null;
  readonly tool: ToolEntry | null;
  readonly evidence: readonly EvidenceCheck[];
  readonly made: readonly { readonly path: string; readonly sizeBytes: number; readonly sha256: string }[];
  readonly savedOutput: string | null;
  readonly notes: readonly string[];
  readonly confinement: string;
}

/** What is refused, with the rule that refuses it. A discouraged command is refused until it is acknowledged. */
export class CommandRefused extends UsageError {}

const mostSamples = 16;
/** As long as this it is told in the answer; what is longer is saved too. */
export const shownStdout = 100 * kibibyte;

/** What a line does is judged before how it is written. */
function refuse(parsed: ParsedCommand, lab: Lab): void {
  if (parsed.kind === 'refused') {
    throw new CommandRefused(`this command is not run: ${parsed.why}`, {
      code: 'COMMAND_BLOCKED',
      hint: `rule ${parsed.rule}`,
    });
  }
  const { verdict, rule, why, better } = parsed.judgement;
  if (verdict !== 'allowed') {
    throw new CommandRefused(`this command is not run (${rule}): ${why}`, {
      code: verdict === 'refused' ? 'COMMAND_BLOCKED' : 'COMMAND_DISCOURAGED',
      ...(better === undefined ? {} : { hint: better }),
    });
  }
  if (parsed.kind !== 'shell' || lab.options.mode !== 'local' || lab.options.isShellAllowed) return;
  throw new CommandRefused(`this line needs a shell for: ${parsed.why.join(', ')}`, {
    code: 'COMMAND_BLOCKED',
    hint: 'write it as programs with plain words, joined by | && || ;, or start the lab with --allow-shell',
  });
}

/** Words of a command that are names of samples. A word that is none, or leads out of the folders, stays a word. */
async function namedSamples(lab: Lab, seen: readonly SeenCommand[], extra: string | undefined, signal: AbortSignal) {
  const named = new Map<string, HeldSample>();
  const words = new Set(
    seen.flatMap(({ argv, redirects }) =>
      [...argv.slice(1), ...redirects.filter(({ mode }) => mode === 'read').map(({ path }) => path)].filter(
        (word) => word !== null,
      ),
    ),
  );
  if (extra !== undefined) {
    named.set(extra, await lab.samples.read(extra, signal));
    words.delete(extra);
  }
  for (const word of words) {
    if (named.size === mostSamples) break;
    if (word.startsWith('-') || word === '' || word.includes('\0') || word.length > 1024 || word.includes('\n'))
      continue;
    const isThere = await lab.samples.find(word, signal).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UsageError) return false;
        throw error;
      },
    );
    if (isThere) named.set(word, await lab.samples.read(word, signal));
  }
  return named;
}

async function checkEvidence(
  lab: Lab,
  samples: Iterable<HeldSample>,
  signal: AbortSignal,
): Promise<readonly EvidenceCheck[]> {
  const checks: EvidenceCheck[] = [];
  for (const { path, sha256 } of samples) {
    checks.push({ path, sha256Before: sha256, sha256After: await lab.samples.hashNow(path, signal) });
  }
  return checks;
}

function toolOf(lab: Lab, parsed: ParsedCommand): ToolEntry | null {
  if (parsed.kind !== 'pipeline' || parsed.pipelines.length !== 1) return null;
  const [first, ...others] = parsed.pipelines[0]?.steps ?? [];
  const name = first?.argv[0];
  if (name === undefined || others.length > 0) return null;
  const words = (first?.argv ?? []).join(' ');
  const same = lab.catalogue.tools.filter(({ command }) => command === name);
  // Of several entries with one command the one whose flags are all there is meant.
  return (
    same
      .toSorted((left, right) => right.argv.length - left.argv.length)
      .find(({ argv }) => argv.every((word) => word.includes('{') || words.includes(word))) ??
    findTool(lab.catalogue, name) ??
    null
  );
}

async function collect(desk: Desk, lab: Lab, samples: readonly HeldSample[], signal: AbortSignal) {
  const made: Made = await desk.made(signal);
  return { notes: made.notes, saved: await saveMade(lab, made.files, samples[0]?.sha256 ?? null, signal) };
}

export async function runCommand(lab: Lab, order: CommandOrder): Promise<CommandEnd> {
  const { signal } = order;
  const parsed = await parseCommand(order.command);
  refuse(parsed, lab);
  const named = await namedSamples(lab, parsed.seen, order.inputFile, signal);
  const samples = [...named.values()];
  await using desk = await lab.workbench.open(samples, signal);
  const paths = new Map([...named.keys()].map((word, at) => [word, desk.files[at] ?? word]));
  const { command, words } = composeLine(parsed, {
    paths,
    inputFile: order.inputFile,
    output: desk.output,
  });
  const ended = await desk.run(command, {
    timeoutMs: order.timeoutMs,
    signal,
    ...(order.onOutput === undefined ? {} : { onOutput: order.onOutput }),
  });
  signal.throwIfAborted();
  const evidence = await checkEvidence(lab, samples, signal);
  const tool = toolOf(lab, parsed);
  const parsedOutput = tool === null ? null : parseOutput(tool, ended.stdout);
  const exit = tool === null ? null : judgeExit(tool, ended, parsedOutput?.findings.length ?? 0);
  const { saved, notes } = await collect(desk, lab, samples, signal);
  const isLong = ended.stdout.length > shownStdout;
  return {
    command: words,
    isShell: parsed.kind === 'shell',
    ended,
    status: exit?.status ?? (ended.hasTimedOut ? 'timed-out' : ended.code === 0 ? 'clean' : 'failed'),
    meaning: exit?.meaning ?? (ended.code === 127 ? 'There is no such program there.' : ''),
    advisories: [
      ...parsed.judgement.advisories,
      ...(tool?.advisory === undefined ? [] : [{ rule: 'catalogue', text: tool.advisory }]),
    ],
    parsed: parsedOutput,
    tool,
    evidence,
    made: saved,
    savedOutput: isLong ? await saveText(lab, 'run-tool', ended.stdout, samples[0]?.sha256 ?? null, signal) : null,
    notes,
    confinement: desk.confinement.words,
  };
}
