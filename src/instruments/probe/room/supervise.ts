import { createWriteStream, type WriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { mebibyte, secondMs } from '../../../base/limits.ts';
import type { ScanStatus } from '../contract.ts';

/** One program from its start to its end: its time, its output and its cancellation are somebody's matter here. */

/** A program that runs, wherever that is. */
export interface Running {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<{ readonly code: number | null; readonly notes: readonly string[] }>;
  /** Ends it and all that it started. */
  kill(signal: NodeJS.Signals): void;
}

export interface SuperviseOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes everything, also what is beyond the cap. */
  readonly rawFile: string;
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Buffer) => void;
}

export interface SupervisedEnd {
  readonly status: ScanStatus;
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly notes: readonly string[];
}

/** Of each stream, in memory, for the reader. */
export const keptBytes = 16 * mebibyte;
const rawBytes = 256 * mebibyte;
/** Programs that are asked to end write what they have. */
const graceMs = 3 * secondMs;

class Tap {
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  seen = 0;

  take(chunk: Buffer): void {
    const piece = chunk.subarray(0, Math.max(0, keptBytes - this.#kept));
    if (piece.length > 0) this.#chunks.push(Buffer.from(piece));
    this.#kept += piece.length;
    this.seen += chunk.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  notes(name: string): readonly string[] {
    const cut = this.seen - this.#kept;
    return cut === 0 ? [] : [`${cut} bytes of ${name} are in the file of raw output alone`];
  }
}

/** Both streams, each piece as it came. */
class RawFile {
  readonly #file: WriteStream;
  readonly #waiting = new Set<() => void>();
  #written = 0;
  #failure: string | null = null;

  constructor(path: string) {
    this.#file = createWriteStream(path, { mode: 0o600, flags: 'wx' });
    this.#file.on('error', (error) => {
      this.#failure = error.message;
      this.#wake();
    });
    this.#file.on('drain', () => this.#wake());
  }

  #wake(): void {
    for (const act of this.#waiting) act();
    this.#waiting.clear();
  }

  /** False when its reader has to wait. */
  take(chunk: Buffer): boolean {
    const piece = chunk.subarray(0, Math.max(0, rawBytes - this.#written));
    this.#written += chunk.length;
    return piece.length === 0 || this.#failure !== null || this.#file.write(piece);
  }

  onDrain(act: () => void): void {
    this.#waiting.add(act);
  }

  async close(): Promise<readonly string[]> {
    this.#file.end();
    await finished(this.#file).catch(() => undefined);
    if (this.#failure !== null) return [`the raw output could not be kept: ${this.#failure}`];
    return this.#written > rawBytes ? [`${this.#written - rawBytes} bytes of output were not kept`] : [];
  }
}

function listen(stream: Readable, tap: Tap, raw: RawFile, tell: (bytes: Buffer) => void): Promise<void> {
  stream.on('data', (chunk: Buffer) => {
    tap.take(chunk);
    tell(chunk);
    if (raw.take(chunk)) return;
    stream.pause();
    raw.onDrain(() => stream.resume());
  });
  return finished(stream, { writable: false }).catch(() => undefined);
}

/** After its end: what it left in its pipes is there at once, and whoever else holds them open is not waited for. */
const quietMs = secondMs;
const mostTurns = 10;

/** False when the streams do not end: nothing came for a while, or it never stops. */
async function hasDrained(ends: Promise<unknown>, seen: () => number): Promise<boolean> {
  for (let [turn, before] = [0, -1]; turn < mostTurns && seen() !== before; turn += 1) {
    before = seen();
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), quietMs);
    const isOver = await Promise.race([ends.then(() => true), late]);
    clearTimeout(timer);
    if (isOver) return true;
    // A loop that was busy hears the timer before it reads.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}

export async function supervise(running: Running, options: SuperviseOptions): Promise<SupervisedEnd> {
  const { timeoutMs, signal, rawFile, onOutput } = options;
  const raw = new RawFile(rawFile);
  const [stdout, stderr] = [new Tap(), new Tap()];
  let stopped: 'timed_out' | 'cancelled' | null = null;
  const timers = new Set<NodeJS.Timeout>();
  const stop = (why: 'timed_out' | 'cancelled'): void => {
    if (stopped !== null) return;
    stopped = why;
    running.kill('SIGINT');
    timers.add(setTimeout(() => running.kill('SIGKILL'), graceMs));
  };
  const cancel = (): void => stop('cancelled');
  timers.add(setTimeout(() => stop('timed_out'), timeoutMs));
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const ends = [
    listen(running.stdout, stdout, raw, (bytes) => onOutput?.('stdout', bytes)),
    listen(running.stderr, stderr, raw, (bytes) => onOutput?.('stderr', bytes)),
  ];
  try {
    const { code, notes } = await running.exited;
    const isDrained = await hasDrained(Promise.all(ends), () => stdout.seen + stderr.seen);
    if (!isDrained) for (const stream of [running.stdout, running.stderr]) stream.destroy();
    const held = isDrained ? [] : ['something that it started still holds its output'];
    const kept = await raw.close();
    return {
      status: stopped ?? (code === null ? 'error' : 'completed'),
      exitCode: code,
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      notes: [...notes, ...held, ...kept, ...stdout.notes('stdout'), ...stderr.notes('stderr')],
    };
  } catch (error) {
    await raw.close();
    throw error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}
