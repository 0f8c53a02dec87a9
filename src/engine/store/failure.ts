import { describeError, HostError, isKnownError } from '../../base/errors.ts';

/** What SQLite says by number, in words that say what to do. */

interface Meaning {
  readonly what: string;
  readonly hint: (file: string) => string;
}

const setAside = (file: string): string =>
  `nothing was changed. Put a copy of it back, or start anew with \`mv ${file} ${file}.damaged\`: what was pinned, approved and registered is then asked for again`;
const makeRoom = (file: string): string => `make room on the disk that holds ${file}, then try again`;
const allowWriting = (file: string): string =>
  `let this user write to ${file} and to its folder, or set HOTCELL_HOME to a folder where that is so`;

/** Primary result codes, https://sqlite.org/rescode.html. */
const meanings: ReadonlyMap<number, Meaning> = new Map([
  [5, { what: 'another process keeps it locked', hint: () => 'end the other process, or try again' }],
  [8, { what: 'it cannot be written', hint: allowWriting }],
  [10, { what: 'the disk failed', hint: makeRoom }],
  [11, { what: 'it is damaged', hint: setAside }],
  [13, { what: 'the disk is full', hint: makeRoom }],
  [14, { what: 'it cannot be opened', hint: allowWriting }],
  [23, { what: 'access was denied', hint: allowWriting }],
  [26, { what: 'it is damaged, or no store at all', hint: setAside }],
]);

export function resultCodeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  // The lower byte is the primary code, the rest says more.
  return error.errcode & 0xff;
}

export const busyCode = 5;

/** Known errors stay as they are: a callback of the caller may have thrown them. */
export function storeFailure(error: unknown, operation: string, file: string): Error {
  if (isKnownError(error)) return error;
  const code = resultCodeOf(error);
  if (code === null) return error instanceof Error ? error : new HostError(describeError(error));
  const meaning = meanings.get(code);
  const what = meaning === undefined ? describeError(error) : `${meaning.what} (${describeError(error)})`;
  const hint = meaning?.hint(file);
  return new HostError(`cannot ${operation} the store ${file}: ${what}`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}
