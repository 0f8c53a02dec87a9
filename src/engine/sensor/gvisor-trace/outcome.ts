import { constants } from 'node:os';
import type { Event } from '../../../base/event-schema.ts';
import type { CallExit } from './messages.ts';

export type CallOutcome = NonNullable<Event['outcome']>;

const denied: readonly number[] = [constants.errno.EPERM, constants.errno.EACCES];
/** From here on they are the kernel's own: the call was interrupted and begins again. */
const firstRestart = 512;

export function outcomeOf(exit: CallExit | undefined): CallOutcome {
  if (exit === undefined) return 'unknown';
  const { errno } = exit;
  if (errno === 0) return 'ok';
  if (errno === constants.errno.EINPROGRESS || errno >= firstRestart) return 'unknown';
  return denied.includes(errno) ? 'denied' : 'failed';
}

/** How a process ended, from what `wait` gives. */
export function endFields(status: number): { readonly code: number } | { readonly signal: number } {
  const signal = status & 0x7f;
  return signal === 0 ? { code: (status >> 8) & 0xff } : { signal };
}
