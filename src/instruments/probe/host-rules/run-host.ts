import { exitCodes, HostError } from '../../../base/errors.ts';
import type { RunOptions, RunResult } from '../../../base/process.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';

/** How programs of the host are run; one that enters another network first makes all of this work there. */
export type RunHost = (file: string, args: readonly string[], options?: RunOptions) => Promise<RunResult>;

const bounds: RunOptions = { timeoutMs: 15_000, maxOutputBytes: 4 * 1024 * 1024 };

/** Without these rules containers are not held, so that every failure here is one of isolation. */
export function notHeld(
  message: string,
  details: { readonly hint?: string; readonly cause?: unknown } = {},
): HostError {
  return new HostError(message, { ...details, exitCode: exitCodes.noIsolation });
}

function whyOf({ hasTimedOut, stderr, code, signal }: RunResult): string {
  if (hasTimedOut) return 'it did not end in time';
  const words = forTerminal(untrusted(stderr.subarray(0, 600).toString('latin1').trim()));
  return words === '' ? `it ended with ${code ?? signal}` : words;
}

export interface Asked {
  readonly input?: string;
  readonly hint?: string;
}

/** What it wrote; anything but success is a HostError with its first words. */
export async function askHost(
  run: RunHost,
  [file = '', ...args]: readonly string[],
  what: string,
  { input, hint }: Asked = {},
): Promise<string> {
  const result = await run(file, args, { ...bounds, ...(input === undefined ? {} : { input }) }).catch((cause) => {
    throw notHeld(`cannot ${what}: ${file} cannot be run`, { cause, hint: hint ?? `install ${file}` });
  });
  if (result.code !== 0) {
    throw notHeld(`cannot ${what}: ${whyOf(result)}`, hint === undefined ? {} : { hint });
  }
  if (result.droppedBytes > 0) throw notHeld(`cannot ${what}: ${file} said more than is read`);
  return result.stdout.toString('utf8');
}

/** Whether it is there and succeeds. */
export async function answers(run: RunHost, [file = '', ...args]: readonly string[]): Promise<boolean> {
  return run(file, args, bounds).then(
    ({ code }) => code === 0,
    () => false,
  );
}
