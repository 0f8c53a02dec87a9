import type { EventProcess } from '../../../base/event-schema.ts';
import { bytesField, caps } from '../fields.ts';

/**
 * What every event says of its process. Arguments are kept short here, because they are on all of them; the event of the
 * exec has the whole.
 */
export const labelBytes = 2048;
const labelArguments = 32;
/** As long as the kernel's own name of a process. */
const nameBytes = 15;
const slash = 0x2f;

export function labelOf(pid: number, parent: number, name: Buffer, argv: readonly Buffer[]): EventProcess {
  const fields: NonNullable<EventProcess['argv']> = [];
  let left = labelBytes;
  for (const argument of argv.slice(0, labelArguments)) {
    if (left <= 0) break;
    fields.push(bytesField(argument, left));
    left -= argument.length;
  }
  return { pid, parent, name: bytesField(name, caps.name), ...(fields.length > 0 ? { argv: fields } : {}) };
}

/** What the kernel calls a process after its program. */
export function nameOf(path: Buffer): Buffer {
  return path.subarray(path.lastIndexOf(slash) + 1).subarray(0, nameBytes);
}

/** Arguments end in a NUL each; the last one may be cut. */
export function splitArguments(bytes: Buffer): Buffer[] {
  const list: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    const stop = end === -1 ? bytes.length : end;
    list.push(bytes.subarray(at, stop));
    at = stop + 1;
  }
  return list;
}
