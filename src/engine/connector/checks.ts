import { UsageError } from '../../base/errors.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import type { ExecOptions } from './contract.ts';
import {
  defaultMaxOutputBytes,
  largestArgumentBytes,
  largestArgumentsBytes,
  largestMaxOutputBytes,
  longestTimeoutMs,
} from './limits.ts';

const shownBytes = 200;

/** A name as it may stand in a message: names in a place are the work of whoever wrote them. */
export function show(text: string | Uint8Array): string {
  return forTerminal(untrusted(text, shownBytes));
}

export function checkNumber(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new UsageError(`${name} has to be a whole number from ${least} to ${most}, not ${value}`);
}

export function checkPath(path: string, name = 'path'): void {
  if (!path.startsWith('/')) throw new UsageError(`the ${name} has to be absolute: ${show(path)}`);
  if (path.includes('\0')) throw new UsageError(`the ${name} holds a zero byte: ${show(path)}`);
  if (Buffer.byteLength(path) > 4095) throw new UsageError(`the ${name} is too long: ${show(path)}`);
}

export interface CheckedExec {
  readonly maxOutputBytes: number;
  readonly environment: readonly string[];
}

export function checkArgv(argv: readonly string[]): void {
  const [program] = argv;
  if (program === undefined || program === '') throw new UsageError('there is no program to run');
  // Shells and their `exec` read it as an option; no program that is meant is called that.
  if (program.startsWith('-')) throw new UsageError(`the name of a program cannot begin with a dash: ${show(program)}`);
  let total = 0;
  for (const argument of argv) {
    if (argument.includes('\0')) throw new UsageError('an argument cannot hold a zero byte');
    const size = Buffer.byteLength(argument);
    if (size > largestArgumentBytes) {
      throw new UsageError(`an argument of ${size} bytes is longer than the ${largestArgumentBytes} a system takes`, {
        hint: 'hand it in as input, or as a file',
      });
    }
    total += size + 1;
  }
  if (total > largestArgumentsBytes) {
    throw new UsageError(`the arguments have ${total} bytes together; at most ${largestArgumentsBytes} are taken`);
  }
}

export function checkExec(options: ExecOptions): CheckedExec {
  const { maxOutputBytes = defaultMaxOutputBytes, environment = {} } = options;
  checkNumber('timeoutMs', options.timeoutMs, 1, longestTimeoutMs);
  checkNumber('maxOutputBytes', maxOutputBytes, 0, largestMaxOutputBytes);
  if (options.cwd !== undefined) checkPath(options.cwd, 'folder to run in');
  const pairs = Object.entries(environment).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new UsageError(`not a name of a variable: ${show(name)}`);
    return `${name}=${value}`;
  });
  if (pairs.length > 0) checkArgv(['env', ...pairs]);
  return { maxOutputBytes, environment: pairs };
}
