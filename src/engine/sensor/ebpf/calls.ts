import type { Event, EventKind } from '../../../base/event-schema.ts';
import { addressFields, openFields } from '../fields.ts';
import type { TextField } from './text-field.ts';

/** The calls whose results are told, and what is made of them. */

type Fields = Event['fields'];

/** What came back from a call. */
export interface Returned {
  /** Of two names the second; of an address the path in it. */
  readonly text: TextField;
  /** The first of two names. */
  readonly from: TextField;
  /** Flags of an open or unlink, the length of an address. */
  readonly extra: number;
  /** The first bytes of an address. */
  readonly address: Buffer;
}

export interface ResultCall {
  readonly kind: EventKind;
  /** Where among the arguments. */
  readonly first: number;
  readonly second?: number;
  readonly extra?: number;
  /** The extra one points to what is meant. */
  readonly isExtraBehind?: true;
  readonly fields: (returned: Returned) => Fields;
  /** Fields that may have been longer. */
  readonly cut: (returned: Returned) => readonly string[];
}

const createFlags = 0o1101;
const removeFolderFlag = 0x200;

const cutPath = ({ text }: Returned): readonly string[] => (text.isCut ? ['path'] : []);

const opens = (first: number, extra?: number): ResultCall => ({
  kind: 'open',
  first,
  ...(extra === undefined ? {} : { extra }),
  fields: (returned) => openFields(returned.text.field, extra === undefined ? createFlags : returned.extra),
  cut: cutPath,
});

const removes = (first: number, isFolder: (flags: number) => boolean, extra?: number): ResultCall => ({
  kind: 'unlink',
  first,
  ...(extra === undefined ? {} : { extra }),
  fields: (returned) => ({ path: returned.text.field, isFolder: isFolder(returned.extra) }),
  cut: cutPath,
});

const renames = (first: number, second: number): ResultCall => ({
  kind: 'rename',
  first,
  second,
  fields: ({ from, text }) => ({ from: from.field, to: text.field }),
  cut: ({ from, text }) => [...(from.isCut ? ['from'] : []), ...(text.isCut ? ['to'] : [])],
});

/** Only those that fail: when one succeeds, its memory is gone, and the kernel tells of the new program by itself. */
const executes = (first: number): ResultCall => ({
  kind: 'exec',
  first,
  fields: ({ text }) => ({ path: text.field }),
  cut: cutPath,
});

const unixFamily = 1;

const addressBytes = ({ address, extra }: Returned): Buffer => address.subarray(0, Math.max(0, extra));

function isUnix(bytes: Buffer): boolean {
  return bytes.length > 2 && bytes.readUInt16LE(0) === unixFamily;
}

/** One without a name in the file system has NULs in it, and is in the bytes of the address alone. */
function hasPath(bytes: Buffer): boolean {
  return isUnix(bytes) && bytes[2] !== 0;
}

const connects: ResultCall = {
  kind: 'connect',
  first: 1,
  extra: 2,
  fields: (returned) => {
    const bytes = addressBytes(returned);
    return hasPath(bytes) ? { family: 'unix', path: returned.text.field } : addressFields(bytes);
  },
  cut: (returned) => {
    const bytes = addressBytes(returned);
    return isUnix(bytes) && !hasPath(bytes) && returned.extra > bytes.length ? ['path'] : [];
  },
};

/** By name; a call that an architecture does not have cannot be made there. */
export const resultCalls: ReadonlyMap<string, ResultCall> = new Map<string, ResultCall>([
  ['openat', opens(1, 2)],
  ['openat2', { ...opens(1, 2), isExtraBehind: true }],
  ['open', opens(0, 1)],
  ['creat', opens(0)],
  ['unlinkat', removes(1, (flags) => (flags & removeFolderFlag) !== 0, 2)],
  ['unlink', removes(0, () => false)],
  ['rmdir', removes(0, () => true)],
  ['renameat', renames(1, 3)],
  ['renameat2', renames(1, 3)],
  ['rename', renames(0, 1)],
  ['execve', executes(0)],
  ['execveat', executes(1)],
  ['connect', connects],
]);
