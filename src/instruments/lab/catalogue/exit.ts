import type { ExitStatus, ToolEntry } from './schema.ts';

/** What is known about how a tool ended. Its words are not: a sample can make any tool print anything. */
export interface ToolEnd {
  readonly code: number | null;
  readonly signal?: string | null;
  readonly hasTimedOut: boolean;
  readonly wasCancelled?: boolean;
  readonly droppedStdoutBytes?: number;
  /** Read only for the last line of a Python traceback, and only after a code that is not 0. */
  readonly stderr?: Uint8Array | string;
}

export type ToolStatus = ExitStatus | 'not-installed' | 'timed-out' | 'cancelled';

export interface Judgement {
  readonly status: ToolStatus;
  readonly meaning: string;
}

/** Python tools that give up on input of another kind end this way; the class stands alone at the start of the last line. */
const inputErrors = new Set([
  'PEFormatError',
  'pefile.PEFormatError',
  'BadZipFile',
  'zipfile.BadZipFile',
  'zipfile.BadZipfile',
  'UnicodeDecodeError',
  'struct.error',
  'NotOleFileError',
  'olefile.olefile.NotOleFileError',
  'elftools.common.exceptions.ELFError',
  'msoffcrypto.exceptions.FileFormatError',
]);

function endedWithInputError(stderr: Uint8Array | string | undefined): boolean {
  if (stderr === undefined) return false;
  const text = typeof stderr === 'string' ? stderr : Buffer.from(stderr.subarray(-16_384)).toString('utf8');
  const tail = text.slice(-16_384);
  if (!tail.includes('Traceback (most recent call last):')) return false;
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  return inputErrors.has(last.split(':', 1)[0]?.trim() ?? '');
}

/**
 * By code and by our own flags. 124 and 137 are a time limit only when it was ours; the flag says so. With the number of
 * findings that its parser made, a tool that finished has found something or not.
 */
export function judgeExit(entry: ToolEntry, end: ToolEnd, findingCount = 0): Judgement {
  const judged = judgeEnd(entry, end);
  return judged.status === 'clean' && findingCount > 0 ? { ...judged, status: 'findings' } : judged;
}

function judgeEnd(entry: ToolEntry, end: ToolEnd): Judgement {
  if (end.wasCancelled) return { status: 'cancelled', meaning: 'Ended because the call was cancelled.' };
  if (end.hasTimedOut) {
    return { status: 'timed-out', meaning: 'Ended at its time limit; what it had printed until then is kept.' };
  }
  if (end.code === null) {
    return {
      status: 'failed',
      meaning: `Ended by the signal ${/^SIG[A-Z0-9+-]+$/.test(end.signal ?? '') ? end.signal : 'of another process'}.`,
    };
  }
  if (end.code === 127)
    return {
      status: 'not-installed',
      meaning: entry.exitCodes['127']?.meaning ?? `${entry.command} is not installed here.`,
    };
  const known = entry.exitCodes[String(end.code)];
  if (known !== undefined) return known;
  if (end.code === 0) {
    return (end.droppedStdoutBytes ?? 0) > 0
      ? { status: 'partial', meaning: 'Finished, but its output was longer than what is kept.' }
      : { status: 'clean', meaning: 'Finished.' };
  }
  if (endedWithInputError(end.stderr)) {
    return { status: 'not-applicable', meaning: 'The tool does not read files of this form.' };
  }
  return { status: 'failed', meaning: `Ended with code ${end.code}, for which no meaning is known.` };
}
