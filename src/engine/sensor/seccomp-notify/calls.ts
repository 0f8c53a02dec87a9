import type { Event, EventKind } from '../../../base/event-schema.ts';
import { addressFields, bytesField, caps, openFields } from '../fields.ts';
import type { RawCall } from './raw-call.ts';

/**
 * The calls that are reported: what must be read while the caller waits, piece by piece, and what is made of it later,
 * when the caller is on its way again.
 */

type Fields = Event['fields'];

export type Reading =
  /** Two pieces: a path and the folder it is relative to. */
  | { readonly type: 'path'; readonly at: number; readonly folder?: number; readonly flags?: number }
  | { readonly type: 'text'; readonly at: number; readonly cap: number }
  | { readonly type: 'bytes'; readonly at: number; readonly length: number }
  /** A socket's address, with its length in the next argument. */
  | { readonly type: 'address'; readonly at: number }
  | { readonly type: 'descriptor'; readonly at: number }
  /** The current folder. */
  | { readonly type: 'here' }
  /** As many pieces as there are. */
  | { readonly type: 'arguments' | 'message' | 'messages'; readonly at: number };

export interface WatchedCall {
  readonly kind: EventKind;
  readonly readings: readonly Reading[];
  /** One event each. */
  readonly events: (call: RawCall) => readonly Fields[];
}

const createFlags = 0o1101;
const permissionBits = 0o7777;
const removeFolderFlag = 0x200;
const memoryNameBytes = 250;

const path = (at: number, folder?: number, flags?: number): Reading => ({
  type: 'path',
  at,
  ...(folder === undefined ? {} : { folder }),
  ...(flags === undefined ? {} : { flags }),
});

function opens(readings: readonly Reading[], flagsOf: (call: RawCall) => number): WatchedCall {
  return { kind: 'open', readings, events: (call) => [openFields(call.path(0, 'path'), flagsOf(call))] };
}

/** `struct open_how` begins with the flags. */
function flagsOfHow(call: RawCall): number {
  const how = call.bytes(2, 'access');
  return how.length >= 4 ? how.readInt32LE() : 0;
}

function unlinks(reading: Reading, isFolderOf: (call: RawCall) => boolean): WatchedCall {
  return {
    kind: 'unlink',
    readings: [reading],
    events: (call) => [{ path: call.path(0, 'path'), isFolder: isFolderOf(call) }],
  };
}

function renames(from: Reading, to: Reading): WatchedCall {
  return {
    kind: 'rename',
    readings: [from, to],
    events: (call) => [{ from: call.path(0, 'from'), to: call.path(2, 'to') }],
  };
}

function links(from: Reading, to: Reading): WatchedCall {
  return {
    kind: 'link',
    readings: [from, to],
    events: (call) => [{ from: call.path(0, 'from'), to: call.path(2, 'to'), isSymbolic: false }],
  };
}

/** What a symbolic link holds is text, and stays as it is. */
function linksSymbolically(to: Reading): WatchedCall {
  return {
    kind: 'link',
    readings: [{ type: 'text', at: 0, cap: caps.path }, to],
    events: (call) => [{ from: bytesField(call.bytes(0, 'from')), to: call.path(1, 'to'), isSymbolic: true }],
  };
}

/** By path, or by a descriptor that may stand for nothing. */
function changedPath(call: RawCall, reading: Reading): Fields {
  if (reading.type === 'path') return { path: call.path(0, 'path') };
  const link = call.piece(0);
  return link === null ? {} : { path: bytesField(link.bytes) };
}

function changesMode(name: string, reading: Reading, modeAt: number): WatchedCall {
  return {
    kind: 'chmod',
    readings: [reading],
    events: (call) => [{ ...changedPath(call, reading), mode: call.int(modeAt) & permissionBits, call: name }],
  };
}

function changesOwner(name: string, reading: Reading, idsAt: number): WatchedCall {
  return {
    kind: 'chmod',
    readings: [reading],
    events: (call) => [{ ...changedPath(call, reading), uid: call.int(idsAt), gid: call.int(idsAt + 1), call: name }],
  };
}

function makesFolder(reading: Reading, modeAt: number): WatchedCall {
  return {
    kind: 'mkdir',
    readings: [reading],
    events: (call) => [{ path: call.path(0, 'path'), mode: call.int(modeAt) & permissionBits }],
  };
}

function addresses(kind: EventKind, reading: Reading): WatchedCall {
  return { kind, readings: [reading], events: (call) => call.list(0, 'address').map(addressFields) };
}

/** Calls whose numbers say everything. */
function plain(kind: EventKind, fieldsOf: (call: RawCall) => Fields): WatchedCall {
  return { kind, readings: [], events: (call) => [fieldsOf(call)] };
}

function executes(program: Reading, argvAt: number): WatchedCall {
  return {
    kind: 'exec',
    readings: [program, { type: 'here' }, { type: 'arguments', at: argvAt }],
    events: (call) => {
      const here = call.piece(2);
      const argv = call.list(3, 'argv').map((argument) => bytesField(argument, caps.argument));
      return [{ path: call.path(0, 'path'), argv, ...(here === null ? {} : { cwd: bytesField(here.bytes) }) }];
    },
  };
}

const descriptor: Reading = { type: 'descriptor', at: 0 };

const setUserCalls = { setuid: 1, setgid: 1, setreuid: 2, setregid: 2, setresuid: 3, setresgid: 3 } as const;

const kernelCalls = `mount umount2 open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr pivot_root chroot
  unshare setns bpf init_module finit_module delete_module io_uring_setup kexec_load kexec_file_load keyctl add_key
  request_key perf_event_open userfaultfd open_by_handle_at`.split(/\s+/);

/** By name; a call that an architecture does not have cannot be made there. */
export const watchedCalls: ReadonlyMap<string, WatchedCall> = new Map<string, WatchedCall>([
  ['execve', executes(path(0), 1)],
  ['execveat', executes(path(1, 0, 4), 2)],
  ['open', opens([path(0)], (call) => call.int(1))],
  ['creat', opens([path(0)], () => createFlags)],
  ['openat', opens([path(1, 0)], (call) => call.int(2))],
  ['openat2', opens([path(1, 0), { type: 'bytes', at: 2, length: 8 }], flagsOfHow)],
  ['unlink', unlinks(path(0), () => false)],
  ['rmdir', unlinks(path(0), () => true)],
  ['unlinkat', unlinks(path(1, 0), (call) => (call.int(2) & removeFolderFlag) !== 0)],
  ['rename', renames(path(0), path(1))],
  ['renameat', renames(path(1, 0), path(3, 2))],
  ['renameat2', renames(path(1, 0), path(3, 2))],
  ['link', links(path(0), path(1))],
  ['linkat', links(path(1, 0, 4), path(3, 2))],
  ['symlink', linksSymbolically(path(1))],
  ['symlinkat', linksSymbolically(path(2, 1))],
  ['chmod', changesMode('chmod', path(0), 1)],
  ['fchmod', changesMode('fchmod', descriptor, 1)],
  ['fchmodat', changesMode('fchmodat', path(1, 0), 2)],
  ['fchmodat2', changesMode('fchmodat2', path(1, 0, 3), 2)],
  ['chown', changesOwner('chown', path(0), 1)],
  ['lchown', changesOwner('lchown', path(0), 1)],
  ['fchown', changesOwner('fchown', descriptor, 1)],
  ['fchownat', changesOwner('fchownat', path(1, 0, 4), 2)],
  ['mkdir', makesFolder(path(0), 1)],
  ['mkdirat', makesFolder(path(1, 0), 2)],
  ['connect', addresses('connect', { type: 'address', at: 1 })],
  ['bind', addresses('bind', { type: 'address', at: 1 })],
  ['sendto', addresses('send-to', { type: 'address', at: 4 })],
  ['sendmsg', addresses('send-to', { type: 'message', at: 1 })],
  ['sendmmsg', addresses('send-to', { type: 'messages', at: 1 })],
  ['listen', plain('listen', (call) => ({ backlog: call.int(1) }))],
  [
    'memfd_create',
    {
      kind: 'memfd',
      readings: [{ type: 'text', at: 0, cap: memoryNameBytes }],
      events: (call) => [{ name: bytesField(call.bytes(0, 'name'), caps.name) }],
    },
  ],
  ['ptrace', plain('ptrace', (call) => ({ call: 'ptrace', request: call.int(0), pid: call.int(1) }))],
  ...['process_vm_readv', 'process_vm_writev'].map(
    (name) => [name, plain('ptrace', (call) => ({ call: name, pid: call.int(0) }))] as const,
  ),
  ...Object.entries(setUserCalls).map(
    ([name, count]) =>
      [
        name,
        plain('set-user', (call) => ({ call: name, ids: Array.from({ length: count }, (_, at) => call.int(at)) })),
      ] as const,
  ),
  ...kernelCalls.map((name) => [name, plain('kernel', () => ({ call: name }))] as const),
]);

/** Followed rather than reported: the event of an end is made when the process has ended. */
export const endCall = 'exit_group';
