import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { HostError } from '../../base/errors.ts';
import { callSystem } from '../../base/ffi.ts';
import type { MessageLine } from './airlock.ts';
import type { BoxHooks } from './contract.ts';
import type { Launched } from './launched.ts';

/** What sensors need of an airlock: a listener for reported system calls, and beats of its heart. */

/** No program uses it for anything else: it tells of a failing power supply. */
export const beatSignal: NodeJS.Signals = 'SIGPWR';

const nonceBytes = 16;

/** The airlock stays behind in a watched box, so that its heart can beat in every phase. */
export function watchQuestions(hooks: BoxHooks, watchedBy: 'trace' | 'notify' | null): readonly MessageLine[] {
  if (watchedBy === null) return [];
  const heart: MessageLine = ['heart', randomBytes(nonceBytes).toString('hex')];
  return watchedBy === 'notify' && hooks.notifyFilter !== undefined ? [heart, ['notify', hooks.notifyFilter]] : [heart];
}

export interface Listener {
  readonly fd: number;
  /** The airlock, as the host numbers it. */
  readonly pid: number;
}

function isListener(pid: number, fd: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`) === 'anon_inode:seccomp notify';
  } catch {
    return false;
  }
}

/** Takes a copy of the listener that the airlock has at that descriptor. */
export async function fetchListener(launched: Launched, fd: number): Promise<Listener> {
  const pid = (await launched.pids?.())?.find((candidate) => isListener(candidate, fd));
  if (pid === undefined) throw new HostError('cannot watch the box: its airlock was not found');
  const process = callSystem('pidfd_open', pid, 0);
  if (process.errno !== 0) throw new HostError(`cannot watch the box: pidfd_open failed with errno ${process.errno}`);
  const copy = callSystem('pidfd_getfd', process.value, fd, 0);
  callSystem('close', process.value);
  if (copy.errno !== 0) throw new HostError(`cannot watch the box: pidfd_getfd failed with errno ${copy.errno}`);
  return { fd: copy.value, pid };
}
