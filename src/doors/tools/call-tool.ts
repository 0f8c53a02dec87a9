import { z } from 'zod';
import { exitCodes, HostError, isKnownError, TargetError, UsageError } from '../../base/errors.ts';
import { mebibyte, secondMs } from '../../base/limits.ts';
import type { Lab } from '../../instruments/lab/lab.ts';
import type { Probe } from '../../instruments/probe/probe.ts';
import type { LoadedSettings } from '../settings/index.ts';
import type { AnswerPart, ToolAnswer } from './answer.ts';
import { showParts, writeParts } from './answer-text.ts';
import { Collector } from './collector.ts';
import type { JobBoard, LedgerEntry, RecordedEntry, ToolContext, ToolDefinition, ToolProgress } from './contract.ts';
import { readInput } from './read-input.ts';
import { type Spilled, spill } from './spill.ts';

/** One call from its input to its answer. What a target, a caller or this machine does wrong is an answer too. */

export interface ToolHost {
  readonly settings: LoadedSettings;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  readonly jobs: JobBoard;
  /** Opens the lab, or gives the one that is open. */
  readonly lab?: () => Promise<Lab>;
  readonly probe?: () => Promise<Probe>;
  /** The client's own cancellation. */
  readonly signal?: AbortSignal;
  readonly progress?: (progress: ToolProgress) => void;
  /** Rejects when it could not be written; then the call fails. */
  readonly record?: (entry: RecordedEntry) => Promise<void>;
  /** Told of what nobody foresaw; the client hears only that there was something. */
  readonly onInternalError?: (error: unknown) => void;
  /** What one answer may hold in all, text and structured content together. */
  readonly mostAnswerBytes?: number;
}

export const usualAnswerBytes = 1 * mebibyte;
/** Above this even the file is cut, and the answer says so. */
const mostSpilledBytes = 64 * mebibyte;
/** How long a handler that was told to end may take for it before nobody waits any more. */
const graceMs = 2 * secondMs;

function notOpened(name: string): () => Promise<never> {
  return async () => {
    throw new HostError(`no ${name} was opened here`);
  };
}

type Structured = Record<string, unknown>;

/** What a call has told the ledger: an answer is given when all of it is there. */
class Records {
  readonly #definition: ToolDefinition;
  readonly #host: ToolHost;
  readonly #under: Promise<void>[] = [];

  constructor(definition: ToolDefinition, host: ToolHost) {
    this.#definition = definition;
    this.#host = host;
  }

  write(entry: LedgerEntry): Promise<void> {
    const writing = this.#host.record?.({ ...entry, toolset: this.#definition.toolset }) ?? Promise.resolve();
    // Whoever does not wait for it hears of it in the end.
    writing.catch(() => {});
    this.#under.push(writing);
    return writing;
  }

  async written(): Promise<void> {
    await Promise.all(this.#under);
  }
}

function failAfterGrace(
  signal: AbortSignal,
  timeout: AbortSignal,
  timeoutMs: number,
): { lost: Promise<never>; stop: () => void } {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => reject(abortError(timeout, timeoutMs)), graceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const stop = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
  return { lost, stop };
}

function abortError(timeout: AbortSignal, timeoutMs: number): Error {
  return timeout.aborted
    ? new HostError(`it did not end within ${timeoutMs / secondMs} s`, {
        hint: 'ask for less, or start it as a job where the tool can',
        exitCode: exitCodes.incomplete,
      })
    : new UsageError('the call was cancelled');
}

async function runHandler(
  definition: ToolDefinition,
  input: Structured,
  context: ToolContext,
  timeout: AbortSignal,
): Promise<Structured> {
  const { timeoutMs } = definition.limits;
  const { lost, stop } = failAfterGrace(context.signal, timeout, timeoutMs);
  try {
    const working = definition.handle(input, context);
    // Whoever no longer waits for it does not want to hear of its failure either.
    working.catch(() => {});
    const result = await Promise.race([working, lost]).catch((error: unknown) => {
      // What a handler says when it is told to end is not why it ended.
      throw context.signal.aborted ? abortError(timeout, timeoutMs) : error;
    });
    const checked = definition.output.safeParse(result);
    if (checked.success) return checked.data;
    const [issue] = checked.error.issues;
    const where = issue === undefined ? '' : z.core.toDotPath(issue.path.map(String));
    throw new HostError(
      `the answer of ${definition.name} is not as its schema says: ${where}: ${issue?.message ?? ''}`,
    );
  } finally {
    stop();
  }
}

function answerError(thrown: unknown): ToolAnswer {
  const isKnown = isKnownError(thrown);
  // A message nobody foresaw may hold anything: it is for our log and not for a client.
  const message = isKnown ? thrown.message : 'internal error of Hotcell';
  const code = isKnown ? thrown.code : undefined;
  const hint = isKnown ? thrown.hint : 'hotcell doctor says whether this machine is in order; please report it';
  // What is told of a target may be told in its own words.
  const why: readonly AnswerPart[] =
    thrown instanceof TargetError
      ? [
          { kind: 'said', text: 'Error: the target kept it from an answer.' },
          { kind: 'quoted', label: 'what went wrong', text: message },
        ]
      : [{ kind: 'said', text: `Error${code === undefined ? '' : ` ${code}`}: ${message}` }];
  const parts = hint === undefined ? why : [...why, { kind: 'said', text: `What to do: ${hint}` } as const];
  const exitCode = isKnown ? thrown.exitCode : exitCodes.internal;
  const error = { message, ...(hint === undefined ? {} : { hint }), ...(code === undefined ? {} : { code }) };
  return { structured: {}, parts, text: showParts(parts, 8192).text, isError: true, error, exitCode };
}

function describeSpill({ path, bytes }: Spilled): string {
  const input = JSON.stringify({ path });
  return `The whole (${bytes} bytes) is in ${path}: read on with the tool read_output and ${input}, or hotcell tool read_output --path ${path}.`;
}

interface Done {
  readonly definition: ToolDefinition;
  readonly structured: Structured;
  readonly collector: Collector;
  readonly host: ToolHost;
}

const noteBytes = 1024;

/** An answer that a client cannot hold: where it is instead. A part of a document would be no document. */
async function answerTooLarge({ definition, host }: Done, json: string, most: number): Promise<ToolAnswer> {
  const spilled = await spill(host.settings.values.home, `${definition.name}.json`, json);
  const message = `the answer has ${spilled.bytes} bytes, and ${most} are allowed`;
  const hint = describeSpill(spilled);
  const said = `Error: ${message}. ${hint}`;
  const parts = [{ kind: 'said', text: said } as const];
  return {
    structured: {},
    parts,
    text: said,
    isError: true,
    error: { message, hint },
    exitCode: exitCodes.incomplete,
    spilled,
  };
}

async function answerDone(done: Done): Promise<ToolAnswer> {
  const { definition, structured, collector, host } = done;
  const { outputBytes } = definition.limits;
  const most = host.mostAnswerBytes ?? usualAnswerBytes;
  const json = JSON.stringify(structured);
  const jsonBytes = Buffer.byteLength(json);
  if (jsonBytes > Math.min(outputBytes, most)) return answerTooLarge(done, json, Math.min(outputBytes, most));
  const { parts, droppedBytes } = collector.collected();
  const room = Math.max(noteBytes, Math.min(outputBytes, most - jsonBytes));
  const shown = showParts(parts, room);
  const common = { structured, parts, isError: false, exitCode: exitCodes.clean };
  if (!shown.isCut && droppedBytes === 0) return { ...common, text: shown.text };
  const spilled = await spill(host.settings.values.home, `${definition.name}.txt`, writeParts(parts));
  const lost = droppedBytes === 0 ? '' : ` ${droppedBytes} bytes more were not kept.`;
  const text = `${showParts(parts, Math.max(0, room - noteBytes)).text}\n\n${describeSpill(spilled)}${lost}`;
  return { ...common, text, spilled };
}

export async function callTool(definition: ToolDefinition, input: unknown, host: ToolHost): Promise<ToolAnswer> {
  const { timeoutMs } = definition.limits;
  // A timer of our own, for one that cannot be taken back would hold every call until its limit.
  const late = new AbortController();
  const ended = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
    ended.abort(late.signal.reason);
  }, timeoutMs);
  // Cheaper than AbortSignal.any, and nothing of it stays with a signal that lives on.
  const cancel = (): void => ended.abort(host.signal?.reason);
  if (host.signal?.aborted === true) cancel();
  else host.signal?.addEventListener('abort', cancel, { once: true });
  const timeout = late.signal;
  const { signal } = ended;
  const collector = new Collector(mostSpilledBytes);
  const records = new Records(definition, host);
  let isOver = false;
  const context: ToolContext = {
    settings: host.settings,
    folder: host.folder,
    environment: host.environment,
    homeFolder: host.homeFolder,
    signal,
    limits: definition.limits,
    out: collector,
    // Whoever got an answer hears nothing more of the call.
    progress: (progress) => {
      if (!isOver) host.progress?.(progress);
    },
    record: (entry) => records.write(entry),
    jobs: host.jobs,
    lab: host.lab ?? notOpened('lab'),
    probe: host.probe ?? notOpened('probe'),
  };
  try {
    const read = readInput(definition, input);
    signal.throwIfAborted();
    const structured = await runHandler(definition, read, context, timeout);
    await records.written();
    return await answerDone({ definition, structured, collector, host });
  } catch (error) {
    if (signal.aborted && !isKnownError(error)) return answerError(abortError(timeout, timeoutMs));
    if (!isKnownError(error)) host.onInternalError?.(error);
    return answerError(error);
  } finally {
    isOver = true;
    clearTimeout(timer);
    host.signal?.removeEventListener('abort', cancel);
  }
}
