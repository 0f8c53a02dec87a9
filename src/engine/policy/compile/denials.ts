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
  /** False where the box shares the host's network, so that sockets themselves have to be refused. */
  readonly hasNetworkNamespace: boolean;
  /** Landlock keeps TCP to ports from 4 on; below that a box without a network namespace gets no sockets at all. */
  readonly landlockAbi?: number;
}

export const errnos = { EPERM: 1, ENOSYS: 38 } as const;

/** "There is no such call" makes libc fall back to the older call, whose arguments a filter can see. */
const answersMissing: ReadonlySet<string> = new Set(['clone3']);

export function errnoOf(call: string): number {
  return answersMissing.has(call) ? errnos.ENOSYS : errnos.EPERM;
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
  const added = options.hasNetworkNamespace ? [] : sharedNetworkDenials(policy, options.landlockAbi ?? 0);
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
