import type { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { HostError } from '../../base/errors.ts';
import type { AirlockStreams } from './airlock.ts';
import type { LimitHit } from './contract.ts';

/** A started box before its target runs: what every backend hands over. */
export interface Launched extends AirlockStreams {
  /** Host process at the root of everything in the box; null where the engine is somebody else's. */
  readonly pid: number | null;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Asks politely: passes the signal to the target. */
  signal(signal: NodeJS.Signals): void;
  /** Ends every process at once. */
  end(): void;
  /** Processes of the host among which the airlock is to be found, where there are any. */
  pids?(): readonly number[] | Promise<readonly number[]>;
  /** Makes the airlock's heart beat, where a plain signal does not reach it. */
  beat?(): Promise<void>;
  /** Limits that were hit, where only the engine knows. */
  limitsHit?(): Promise<readonly LimitHit[]>;
}

export function fromChild(child: ChildProcess, actions: Pick<Launched, 'signal' | 'end' | 'pids' | 'beat'>): Launched {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new HostError('a box was started without pipes');
  stdin.on('error', () => {
    // EPIPE: the target closed its input or ended; its exit says how.
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (cause) =>
      reject(new HostError(`cannot start ${child.spawnfile}: ${cause.message}`, { cause })),
    );
  });
  // Whoever waits for the end gets the error; nobody waiting must not take the process down.
  ended.catch(() => undefined);
  // Node throws away what was not read when a child ends; what a failing runtime said must be there to be read.
  return { stdin, stdout, stderr: stderr.pipe(new PassThrough()), pid: child.pid ?? null, ended, ...actions };
}
