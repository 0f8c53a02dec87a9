import type { Event, EventKind } from '../../../base/event-schema.ts';
import { type Architecture, hostArchitecture } from '../../../base/ffi.ts';
import { syscallNumbers } from '../../policy/syscalls/numbers.ts';
import { openFields } from '../fields.ts';

/**
 * Calls that are watched by number. gVisor gives their arguments as integers and follows no pointer, so their events
 * have no paths.
 *
 * Some have a twin, a point that gives the path too. They are watched all the same: gVisor cannot send text that is not
 * UTF-8, and leaves such a message out without counting it. A call whose twin does not come is told without its path.
 */

type Fields = Event['fields'];

/** The lowest 32 bits of the first four arguments; the fifth as it is. */
export interface CallArguments {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly fourth: number;
  readonly fifth: number;
}

export interface WatchedCall {
  readonly name: string;
  /** Null where it is no event by itself. */
  readonly kind: EventKind | null;
  readonly hasTwin: boolean;
  /** Whether its end is asked for too; the twin of an open tells how it ended, and opens are many. */
  readonly hasExit: boolean;
  /** Fields that cannot be known when the twin is missing. */
  readonly lost: readonly string[];
  readonly fields: (call: CallArguments) => Fields;
  readonly isEvent: (call: CallArguments) => boolean;
}

type Entry = Pick<WatchedCall, 'kind'> & Partial<WatchedCall>;

const signed = (value: number): number => value | 0;
const removesFolder = 0x200;
/** Of mount, cgroup, uts, ipc, user, pid and net. */
const namespaceFlags = 0x7e020000;

function withoutPath(flags: number): Fields {
  const { path: _, ...fields } = openFields({ text: '' }, flags);
  return fields;
}

const byKind = {
  open: { kind: 'open', hasTwin: true, hasExit: false, lost: ['path'] },
  exec: { kind: 'exec', hasTwin: true, lost: ['path', 'argv'] },
  folder: { kind: null, hasTwin: true, hasExit: false },
} as const satisfies Readonly<Record<string, Entry>>;

const chmod = (name: string, mode: (call: CallArguments) => number): Entry => ({
  kind: 'chmod',
  fields: (call) => ({ mode: mode(call) & 0o7777, call: name }),
});

const chown = (name: string, ids: (call: CallArguments) => readonly [number, number]): Entry => ({
  kind: 'chmod',
  fields: (call) => {
    const [uid, gid] = ids(call);
    return { uid: signed(uid), gid: signed(gid), call: name };
  },
});

const setUser = (name: string, count: 0 | 1 | 2): Entry => ({
  kind: 'set-user',
  fields: ({ first, second }) => ({
    call: name,
    ...(count === 0 ? {} : { ids: [first, second].slice(0, count).map(signed) }),
  }),
});

const kernel = (name: string, fields: (call: CallArguments) => Fields = () => ({})): Entry => ({
  kind: 'kernel',
  fields: (call) => ({ call: name, ...fields(call) }),
});

const reads = (name: string): Entry => ({
  kind: 'ptrace',
  fields: ({ first }) => ({ call: name, pid: signed(first) }),
});

const table: Readonly<Record<string, Entry>> = {
  open: { ...byKind.open, fields: ({ second }) => withoutPath(second) },
  openat: { ...byKind.open, fields: ({ third }) => withoutPath(third) },
  creat: { ...byKind.open, fields: () => withoutPath(0o1101) },
  openat2: { kind: 'open', lost: ['path'] },
  execve: byKind.exec,
  execveat: byKind.exec,
  chdir: byKind.folder,
  fchdir: byKind.folder,
  unlink: { kind: 'unlink', fields: () => ({ isFolder: false }) },
  rmdir: { kind: 'unlink', fields: () => ({ isFolder: true }) },
  unlinkat: { kind: 'unlink', fields: ({ third }) => ({ isFolder: (third & removesFolder) !== 0 }) },
  rename: { kind: 'rename' },
  renameat: { kind: 'rename' },
  renameat2: { kind: 'rename' },
  link: { kind: 'link', fields: () => ({ isSymbolic: false }) },
  linkat: { kind: 'link', fields: () => ({ isSymbolic: false }) },
  symlink: { kind: 'link', fields: () => ({ isSymbolic: true }) },
  symlinkat: { kind: 'link', fields: () => ({ isSymbolic: true }) },
  chmod: chmod('chmod', ({ second }) => second),
  fchmod: chmod('fchmod', ({ second }) => second),
  fchmodat: chmod('fchmodat', ({ third }) => third),
  chown: chown('chown', ({ second, third }) => [second, third]),
  lchown: chown('lchown', ({ second, third }) => [second, third]),
  fchown: chown('fchown', ({ second, third }) => [second, third]),
  fchownat: chown('fchownat', ({ third, fourth }) => [third, fourth]),
  mkdir: { kind: 'mkdir', fields: ({ second }) => ({ mode: second & 0o7777 }) },
  mkdirat: { kind: 'mkdir', fields: ({ third }) => ({ mode: third & 0o7777 }) },
  listen: { kind: 'listen', fields: ({ second }) => ({ backlog: signed(second) }) },
  // Without an address it is a write to a socket that was connected, and the connect was told.
  sendto: { kind: 'send-to', isEvent: ({ fifth }) => fifth !== 0 },
  sendmsg: { kind: 'send-to' },
  sendmmsg: { kind: 'send-to' },
  memfd_create: { kind: 'memfd', fields: ({ second }) => ({ flags: second }) },
  ptrace: {
    kind: 'ptrace',
    fields: ({ first, second }) => ({ call: 'ptrace', request: signed(first), pid: signed(second) }),
  },
  process_vm_readv: reads('process_vm_readv'),
  process_vm_writev: reads('process_vm_writev'),
  setreuid: setUser('setreuid', 2),
  setregid: setUser('setregid', 2),
  setfsuid: setUser('setfsuid', 1),
  setfsgid: setUser('setfsgid', 1),
  setgroups: setUser('setgroups', 0),
  // Every fork is one of these; what counts are new namespaces.
  clone: {
    ...kernel('clone', ({ first }) => ({ flags: first })),
    isEvent: ({ first }) => (first & namespaceFlags) !== 0,
  },
  mount: kernel('mount', ({ fourth }) => ({ flags: fourth })),
  umount2: kernel('umount2', ({ second }) => ({ flags: second })),
  pivot_root: kernel('pivot_root'),
  chroot: kernel('chroot'),
  unshare: kernel('unshare', ({ first }) => ({ flags: first })),
  setns: kernel('setns', ({ second }) => ({ flags: second })),
  bpf: kernel('bpf', ({ first }) => ({ command: first })),
  init_module: kernel('init_module'),
  finit_module: kernel('finit_module'),
  delete_module: kernel('delete_module'),
  io_uring_setup: kernel('io_uring_setup'),
  kexec_load: kernel('kexec_load'),
  kexec_file_load: kernel('kexec_file_load'),
  keyctl: kernel('keyctl', ({ first }) => ({ command: first })),
  add_key: kernel('add_key'),
  request_key: kernel('request_key'),
  perf_event_open: kernel('perf_event_open'),
  userfaultfd: kernel('userfaultfd'),
  open_by_handle_at: kernel('open_by_handle_at'),
  reboot: kernel('reboot'),
};

/** Watched calls by their number on this architecture. */
export function watchedCalls(architecture: Architecture = hostArchitecture()): ReadonlyMap<number, WatchedCall> {
  const calls = new Map<number, WatchedCall>();
  for (const [name, entry] of Object.entries(table)) {
    const number = syscallNumbers.get(name)?.[architecture] ?? null;
    if (number === null) continue;
    calls.set(number, {
      name,
      hasTwin: false,
      hasExit: true,
      lost: [],
      fields: () => ({}),
      isEvent: () => true,
      ...entry,
    });
  }
  return calls;
}
