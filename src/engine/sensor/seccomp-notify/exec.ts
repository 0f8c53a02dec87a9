import { readCurrentCall, readProgramMark } from './proc.ts';
import { states } from './record.ts';

/**
 * Whether a process became what it wanted to become. It shows in what the kernel put into its memory at the start: the
 * addresses there are drawn anew for every program.
 */

export interface PendingExec {
  /** The thread that made the call; when it succeeds, no other is left. */
  readonly thread: number;
  readonly record: Buffer;
  /** Of the program that made the call. */
  readonly mark: Buffer | null;
}

/** Asked when a thread of the process shows itself again; null is not known yet. */
export function outcomeSeenFrom({ mark, thread }: PendingExec, now: number): number | null {
  if (mark === null) return states.unknown;
  const markNow = readProgramMark(now);
  if (markNow === null) return null;
  if (!markNow.equals(mark)) return states.succeeded;
  return now === thread ? states.failed : null;
}

/** Asked when nothing happens: a thread that waits in another call has come back from this one. */
export function outcomeWhenIdle({ mark, thread }: PendingExec, pid: number, isExec: (call: number) => boolean) {
  if (mark === null) return states.unknown;
  const markNow = readProgramMark(pid);
  if (markNow === null) return null;
  if (!markNow.equals(mark)) return states.succeeded;
  const call = readCurrentCall(thread);
  return call === null || call === -1 || isExec(call) ? null : states.failed;
}
