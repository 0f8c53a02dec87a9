import { HostError } from '../../base/errors.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import type { ExecResult } from './contract.ts';
import { smallCommandMs } from './limits.ts';
import type { GuardedOptions } from './run-guarded.ts';

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly source?: GuardedOptions['source'];
  readonly sink?: GuardedOptions['sink'];
}

/** Runs a script of our own in the place; everything but exit 0 is an error that says what it was for. */
export type Ask = (what: string, script: string, args: readonly string[], options: AskOptions) => Promise<ExecResult>;

const tailBytes = 400;

export function makeAsk(run: (argv: readonly string[], options: GuardedOptions) => Promise<ExecResult>): Ask {
  return async (what, script, args, options) => {
    const { signal, timeoutMs = smallCommandMs, maxOutputBytes, source, sink } = options;
    const result = await run(['/bin/sh', '-c', script, 'hotcell', ...args], {
      timeoutMs,
      cwd: '/',
      environment: { LC_ALL: 'C' },
      ...(signal === undefined ? {} : { signal }),
      ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
      ...(source === undefined ? {} : { source }),
      ...(sink === undefined ? {} : { sink }),
    });
    if (result.wasCancelled) throw new HostError(`cannot ${what}: it was cancelled`);
    if (result.hasTimedOut) throw new HostError(`cannot ${what}: no answer within ${timeoutMs / 1000} s`);
    if (result.droppedStdoutBytes > 0) throw new HostError(`cannot ${what}: the answer is too long`);
    if (result.code === 0) return result;
    const tail = forTerminal(untrusted(result.stderr.subarray(-tailBytes)));
    throw new HostError(`cannot ${what}: ${tail === '' ? `ended with ${result.code ?? result.signal}` : tail}`);
  };
}
