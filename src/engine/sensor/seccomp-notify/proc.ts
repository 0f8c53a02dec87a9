import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';

/** What /proc says about a process. All of it may be gone at any time: then the answer is null or empty. */

/** Less than half of what Node keeps ready for small buffers, so that a look makes no new one. */
const mostBytes = 2048;

export function readProc(path: string, capBytes: number = mostBytes): Buffer | null {
  try {
    const fd = openSync(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(capBytes);
      return bytes.subarray(0, readSync(fd, bytes, 0, capBytes, null));
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

export function readLink(path: string): Buffer | null {
  try {
    return readlinkSync(path, { encoding: 'buffer' });
  } catch {
    return null;
  }
}

export interface Status {
  /** The process that a thread belongs to. */
  readonly process: number;
  readonly parent: number;
}

/** Only numbers are taken from the text; the name in it is the target's, but cannot hold a new line. */
export function parseStatus(text: string): Status | null {
  const process = /^Tgid:\t(\d{1,10})$/m.exec(text)?.[1];
  const parent = /^PPid:\t(\d{1,10})$/m.exec(text)?.[1];
  return process === undefined || parent === undefined ? null : { process: Number(process), parent: Number(parent) };
}

export function readStatus(thread: number): Status | null {
  const bytes = readProc(`/proc/${thread}/status`);
  return bytes === null ? null : parseStatus(bytes.toString('latin1'));
}

/** Name as the kernel keeps it: at most 15 bytes. */
export function readName(pid: number): Buffer {
  return readProc(`/proc/${pid}/comm`, 64)?.subarray(0, -1) ?? Buffer.alloc(0);
}

/** Its arguments, with a NUL after each. */
export function readArguments(pid: number, capBytes: number): Buffer {
  return readProc(`/proc/${pid}/cmdline`, capBytes) ?? Buffer.alloc(0);
}

/** Addresses that are drawn anew with every program: what tells one from the next. */
export function readProgramMark(thread: number): Buffer | null {
  const mark = readProc(`/proc/${thread}/auxv`, 1024);
  return mark === null || mark.length === 0 ? null : mark;
}

/** The call that a thread is in; null while it runs. */
export function readCurrentCall(thread: number): number | null {
  const number = /^(-?\d{1,5}) /.exec(readProc(`/proc/${thread}/syscall`, 256)?.toString('latin1') ?? '')?.[1];
  return number === undefined ? null : Number(number);
}

/** The list comes in pages; a box has fewer processes than fit. */
const mostPages = 64;

function readPages(path: string): string {
  let text = '';
  try {
    const fd = openSync(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(mostBytes);
      for (let page = 0; page < mostPages; page += 1) {
        const got = readSync(fd, bytes, 0, mostBytes, null);
        if (got === 0) break;
        text += bytes.toString('latin1', 0, got);
      }
    } finally {
      closeSync(fd);
    }
  } catch {
    // What was read is what there is.
  }
  return text;
}

export function parseChildren(text: string): number[] {
  return text
    .split(' ')
    .filter((word) => /^\d{1,10}$/.test(word))
    .map(Number);
}

export function readChildren(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) => parseChildren(readPages(`/proc/${pid}/task/${thread}/children`)));
  } catch {
    return [];
  }
}

/** How a process ended, in the form that `wait` gives it, while nobody has waited for it yet. */
export function parseEndedStat(text: string): number | null {
  // The name stands in brackets and may hold anything, brackets too.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
  const isEnded = fields[0] === 'Z' || fields[0] === 'X';
  const status = Number(fields[49]);
  return isEnded && Number.isInteger(status) ? status : null;
}

export function readEndedStat(pid: number): number | null {
  return parseEndedStat(readProc(`/proc/${pid}/stat`)?.toString('latin1') ?? '');
}
