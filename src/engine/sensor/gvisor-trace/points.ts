import { type Architecture, hostArchitecture } from '../../../base/ffi.ts';
import { syscallNumbers } from '../../policy/syscalls/numbers.ts';
import { watchedCalls } from './calls.ts';

/** The trace points that are asked for, and the file that asks for them. */

export interface Point {
  readonly name: string;
  readonly optional_fields?: readonly string[];
  readonly context_fields: readonly string[];
}

/** See messages.ts for why the process's name and folder are not among them. */
const contextFields = ['time', 'thread_id', 'group_id'] as const;

const general = ['container/start', 'sentry/clone', 'sentry/exit_notify_parent', 'sentry/task_exit'] as const;

/** By call. The end of a call has its arguments as well; connect can wait for ever, so its beginning is told too. */
const ofCalls: readonly { readonly call: string; readonly at: 'enter' | 'exit'; readonly optional?: string }[] = [
  { call: 'open', at: 'exit' },
  { call: 'openat', at: 'exit', optional: 'fd_path' },
  { call: 'creat', at: 'exit' },
  { call: 'execve', at: 'exit' },
  { call: 'execveat', at: 'exit', optional: 'fd_path' },
  { call: 'chdir', at: 'exit' },
  { call: 'fchdir', at: 'exit', optional: 'fd_path' },
  { call: 'connect', at: 'enter' },
  { call: 'connect', at: 'exit' },
  { call: 'bind', at: 'exit' },
  { call: 'setuid', at: 'exit' },
  { call: 'setgid', at: 'exit' },
  { call: 'setresuid', at: 'exit' },
  { call: 'setresgid', at: 'exit' },
];

export function wantedPoints(architecture: Architecture = hostArchitecture()): readonly Point[] {
  const points: Point[] = general.map((name) => ({ name, context_fields: contextFields }));
  for (const { call, at, optional } of ofCalls) {
    if ((syscallNumbers.get(call)?.[architecture] ?? null) === null) continue;
    const fields = optional === undefined ? {} : { optional_fields: [optional] };
    points.push({ name: `syscall/${call}/${at}`, ...fields, context_fields: contextFields });
  }
  for (const [number, { hasExit }] of watchedCalls(architecture)) {
    points.push({ name: `syscall/sysno/${number}/enter`, context_fields: contextFields });
    // An end has its context only where the beginning is asked for too.
    if (hasExit) points.push({ name: `syscall/sysno/${number}/exit`, context_fields: contextFields });
  }
  return points;
}

/** Names in the output of `runsc trace metadata`. */
export function parsePointNames(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/^Name: ([a-z0-9_/]+),/gm), ([, name]) => name ?? ''));
}

/**
 * How often gVisor tries again, up to ten milliseconds apart, before it drops a message: longer than a slow reader may
 * take, so that the target waits and nothing is lost.
 */
const retries = 20_000;

export function sessionFile(points: readonly Point[], socketPath: string): string {
  const sinks = [{ name: 'remote', config: { endpoint: socketPath, retries } }];
  return JSON.stringify({ trace_session: { name: 'Default', ignore_missing: true, points, sinks } });
}
