import type { Policy } from '../../../base/policy-schema.ts';
import { isUnrestricted } from '../network.ts';
import { type Guard, guards } from '../syscalls/guards.ts';

/** What a policy refuses, call by call: the table that every form of the filter is made from. */

export interface Denials {
  /** Refused whatever the arguments are. */
  readonly calls: ReadonlySet<string>;
  readonly guarded: ReadonlyMap<string, readonly Guard[]>;
}

export interface FilterOptions {
  readonly architecture: 'x64' | 'arm64';
  /** False where the box has no namespaces, so that sockets and shared memory themselves have to be refused. */
  readonly hasNetworkNamespace: boolean;
  /** True where the box runs as a user who has files of its own on the host. */
  readonly sharesUser?: boolean;
  /** Landlock keeps TCP to ports from 4 on; below that a box without a network namespace gets no sockets at all. */
  readonly landlockAbi?: number;
}

export const errnos = { EPERM: 1, ENOSYS: 38 } as const;

/** "There is no such call" makes libc fall back to the older call, whose arguments a filter can see. */
const answersMissing: ReadonlySet<string> = new Set(['clone3']);

export function errnoOf(call: string): number {
  return answersMissing.has(call) ? errnos.ENOSYS : errnos.EPERM;
}

/** Without an IPC namespace: shared memory, semaphores and queues that other processes of the host have, too. */
const sharedMemoryCalls =
  'shmget shmat shmctl shmdt semget semop semtimedop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink';
/** Landlock looks at opening and moving files, not at their times: those of any file that may be written could be set. */
const fileTimeCalls = 'utime utimes futimesat utimensat';
/** Nor at mode, owner and attributes, nor at other processes of the same user. The calls that take an open file stay. */
const sameUserCalls =
  'chmod fchmodat fchmodat2 chown lchown fchownat setxattr lsetxattr removexattr lremovexattr setxattrat removexattrat file_setattr prlimit64(other) setpriority(other) ioprio_set';

/** What namespaces would keep from the host, in a box that has none. */
function sharedHostDenials(sharesUser: boolean): readonly string[] {
  return [sharedMemoryCalls, fileTimeCalls, ...(sharesUser ? [sameUserCalls] : [])].flatMap((names) =>
    names.split(' '),
  );
}

/** Sockets in a box that shares the host's network: Landlock sees TCP only, so everything else is refused here. */
function sharedNetworkDenials(policy: Policy, landlockAbi: number): readonly string[] {
  if (policy.network.mode !== 'allowlist') return ['socket'];
  // Sockets of the host that have a path are behind no rule of Landlock; a pair of one's own needs no socket call.
  if (isUnrestricted(policy)) return ['socket(unix)', 'socket(exotic)', 'socket(packet)', 'socket(vsock)'];
  if (landlockAbi < 4) return ['socket'];
  return [
    'socket(unix)',
    'socket(not-tcp)',
    'socket(exotic)',
    'socket(packet)',
    'socket(vsock)',
    'socket(netlink-other)',
  ];
}

export function denialsOf(policy: Policy, options: Omit<FilterOptions, 'architecture'>): Denials {
  const { hasNetworkNamespace, landlockAbi = 0, sharesUser = false } = options;
  const added = hasNetworkNamespace
    ? []
    : [...sharedNetworkDenials(policy, landlockAbi), ...sharedHostDenials(sharesUser)];
  const names = new Set([...policy.syscalls.deny.map(({ name }) => name), ...added]);
  const calls = new Set<string>();
  const guarded = new Map<string, Guard[]>();
  for (const name of names) {
    const guard = guards.get(name);
    if (guard === undefined) {
      calls.add(name);
      continue;
    }
    guarded.set(guard.call, [...(guarded.get(guard.call) ?? []), guard]);
    for (const call of guard.also ?? []) calls.add(call);
  }
  for (const call of calls) guarded.delete(call);
  return { calls, guarded };
}
