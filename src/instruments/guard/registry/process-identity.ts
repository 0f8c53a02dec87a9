import { readFileSync } from 'node:fs';

/** A process by more than its number, which another one may have tomorrow. */

/** When it was started, in ticks since the machine was; null where nobody tells, or when there is no such process. */
export function startTimeOf(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name may hold blanks and brackets: what follows its last bracket is regular.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function isSameProcess(pid: number, startTime: string | null): boolean {
  return startTime === null ? exists(pid) : startTimeOf(pid) === startTime;
}
