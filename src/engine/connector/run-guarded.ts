import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { HostError, UsageError } from '../../base/errors.ts';
import { checkArgv, checkExec, show } from './checks.ts';
import type { ExecOptions, ExecResult } from './contract.ts';
import { gather } from './gather.ts';
import { endMarked, guard, makeMark, noFolderLine } from './guardian.ts';
import type { Lane, LaneEnd, Wire } from './lane.ts';
import { endGraceMs } from './limits.ts';

export interface Source {
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface GuardedOptions extends Omit<ExecOptions, 'input'> {
  readonly source?: Source;
  /** Takes the standard output in place of the result, at its own pace. */
  readonly sink?: (chunk: Buffer) => void | Promise<void>;
}

const nothingRan = {
  code: null,
  signal: null,
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  droppedStdoutBytes: 0,
  droppedStderrBytes: 0,
  hasTimedOut: false,
  wasCancelled: true,
};

async function feed(lane: Lane, source: Source, isOver: () => boolean): Promise<void> {
  let left = source.sizeBytes;
  for await (const chunk of source.chunks) {
    if (isOver()) return;
    const piece = chunk.subarray(0, left);
    left -= piece.length;
    // Rejects when the other side has gone, which the end of the lane tells better.
    if (piece.length > 0 && !lane.stdin.write(piece)) await once(lane.stdin, 'drain').catch(() => undefined);
    if (left === 0) return;
  }
  if (left > 0 && !isOver())
    throw new HostError(`the source ended ${left} bytes before its size: it was changed while it was read`);
}

async function drain(stream: Readable, take: (chunk: Buffer) => void | Promise<void>): Promise<void> {
  // The end of a stream is not yet the end of the lane, which a destroyed stream would be.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) await take(chunk as Buffer);
}

/** Tells of an abort at most once, and also of one that is past. */
function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  signal?.addEventListener('abort', act, { once: true });
  return () => signal?.removeEventListener('abort', act);
}

async function endElsewhere(wire: Wire, mark: string): Promise<void> {
  const lane = await wire.begin(endMarked(mark), { isUrgent: true });
  lane.stdout.resume();
  lane.stderr.resume();
  lane.stdin.end();
  await lane.ended;
}

async function begin(wire: Wire, argv: readonly string[], signal: AbortSignal | undefined): Promise<Lane | undefined> {
  const begun = wire.begin(argv, signal === undefined ? {} : { signal });
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const forget = onAbort(signal, () => resolve(undefined));
  try {
    const lane = await Promise.race([begun, aborted]);
    // Too late to be wanted: without anyone at this end the guardian there ends it.
    if (lane === undefined) begun.then((late) => late.drop()).catch(() => undefined);
    return lane;
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  } finally {
    forget();
  }
}

/** Runs one command over a wire to its end, or to the end of its time. */
export async function runGuarded(wire: Wire, argv: readonly string[], options: GuardedOptions): Promise<ExecResult> {
  checkArgv(argv);
  const { maxOutputBytes, environment } = checkExec(options);
  const { timeoutMs, cwd, signal, source, sink } = options;
  const startedAt = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startedAt);
  const mark = makeMark();
  const command = guard({ argv, mark, inputBytes: source?.sizeBytes ?? 0, timeoutMs, cwd, environment });
  const lane = signal?.aborted ? undefined : await begin(wire, command, signal);
  if (lane === undefined) return { ...nothingRan, elapsedMs: elapsedMs() };

  const stdout = gather(maxOutputBytes, (text) => options.onOutput?.('stdout', text));
  const stderr = gather(maxOutputBytes, (text) => options.onOutput?.('stderr', text));
  let isOver = false;
  let stopped: 'time' | 'cancel' | 'fault' | undefined;
  let fault: unknown;
  // Of a connection that has died without a word nothing ever ends.
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<LaneEnd>();
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, act: () => void): void => {
    timers.add(setTimeout(act, ms));
  };
  const stop = (why: 'time' | 'cancel' | 'fault'): void => {
    if (stopped !== undefined || isOver) return;
    stopped = why;
    lane.stdin.end();
    const insist = (): void => {
      endElsewhere(wire, mark).catch(() => undefined);
      later(endGraceMs, () => {
        lane.drop();
        giveUp({ code: null, signal: null });
      });
    };
    // Input that nobody has read stands before the end of the input.
    if (source === undefined) later(endGraceMs, insist);
    else insist();
  };
  const fail = (error: unknown): void => {
    fault ??= error;
    stop('fault');
  };

  lane.stdin.on('error', () => undefined);
  later(timeoutMs, () => stop('time'));
  const forget = onAbort(signal, () => stop('cancel'));
  try {
    if (source !== undefined) {
      feed(lane, source, () => isOver || stopped !== undefined).catch(fail);
    }
    const takeStdout = sink ?? ((chunk: Buffer) => stdout.take(chunk));
    const read = Promise.all([
      drain(lane.stdout, takeStdout).catch((error) =>
        stopped === undefined && sink !== undefined ? fail(error) : undefined,
      ),
      drain(lane.stderr, (chunk) => stderr.take(chunk)).catch(() => undefined),
    ]);
    const end = await Promise.race([lane.ended, givenUp]).catch((error: unknown): LaneEnd => {
      if (stopped === undefined) throw error;
      return { code: null, signal: null };
    });
    await Promise.race([read, givenUp]);
    if (fault !== undefined) throw fault;
    stdout.end();
    stderr.end();
    if (stopped === undefined && end.code === 126 && stderr.kept().toString() === noFolderLine(mark)) {
      throw new UsageError(`there is no folder to run in at ${show(cwd ?? '')}, or it cannot be entered`);
    }
    return {
      ...(stopped === undefined ? end : { code: null, signal: 'SIGKILL' }),
      stdout: stdout.kept(),
      stderr: stderr.kept(),
      droppedStdoutBytes: stdout.droppedBytes,
      droppedStderrBytes: stderr.droppedBytes,
      hasTimedOut: stopped === 'time',
      wasCancelled: stopped === 'cancel',
      elapsedMs: elapsedMs(),
    };
  } finally {
    isOver = true;
    forget();
    for (const timer of timers) clearTimeout(timer);
    lane.drop();
  }
}
