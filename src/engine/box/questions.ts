import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits, Policy } from '../../base/policy-schema.ts';
import type { MessageLine } from './airlock.ts';
import type { Foundation } from './foundation.ts';

/** What the airlock is asked: the bait that it must not reach, and what the kernel has to say of it. */

const rlimits = { fileBytes: 1, data: 2, core: 4, processes: 6, openFiles: 7 } as const;

/** Denied calls that can be tried without harm; the filter that refuses these refuses the others. */
const triedCalls: readonly string[] = ['bpf', 'io_uring_setup', 'unshare'];

const ownNamespaces = ['pid', 'mnt', 'net', 'ipc', 'uts', 'user'] as const;

/** Where a backend is different from a box with all namespaces, a filter and an init of its own. */
export interface Questions {
  /** Namespaces that the box does share with the host. */
  readonly sharedNamespaces?: readonly (typeof ownNamespaces)[number][];
  /** True where /proc/self/status does not tell of the filter. */
  readonly isFilterHidden?: boolean;
  /** True where the airlock is the first process of a pid namespace and stays as its init. */
  readonly isInit?: boolean;
  /** Without a pid namespace: a process outside that must not be reachable by signals. */
  readonly signalPid?: number;
  /** Extra rlimits where no control group keeps the limit. */
  readonly processLimit?: number;
  readonly dataLimit?: number;
  /** File descriptor of a Landlock ruleset that the airlock puts on itself. */
  readonly landlockFd?: number;
  /** A seccomp program that the airlock puts on itself. */
  readonly filter?: Uint8Array;
}

function limitLines(limits: Limits, questions: Questions): readonly MessageLine[] {
  const wanted: Partial<Record<keyof typeof rlimits, number | undefined>> = {
    fileBytes: limits.fileBytes,
    core: 0,
    openFiles: limits.openFiles,
    processes: questions.processLimit,
    data: questions.dataLimit,
  };
  return (Object.keys(rlimits) as (keyof typeof rlimits)[]).flatMap((name): MessageLine[] => {
    const value = wanted[name];
    return value === undefined ? [] : [['limit', String(rlimits[name]), String(value)]];
  });
}

function optional(key: string, value: string | Uint8Array | number | undefined): readonly MessageLine[] {
  if (value === undefined) return [];
  return [[key, typeof value === 'number' ? String(value) : value]];
}

export async function composeQuestions(
  policy: Policy,
  { bait, place }: Pick<Foundation, 'bait' | 'place'>,
  questions: Questions = {},
): Promise<readonly MessageLine[]> {
  const { sharedNamespaces = [] } = questions;
  const namespaces = ownNamespaces.filter((name) => !sharedNamespaces.includes(name));
  await bait.ready;
  return [
    ['arch', place.architecture],
    ['confined', '1'],
    ...policy.syscalls.deny.flatMap(({ name }) => (triedCalls.includes(name) ? optional('deny', name) : [])),
    ...limitLines(policy.limits, questions),
    ['openFiles', String(policy.limits.openFiles)],
    ...[bait.secretFile, '/etc/shadow', `/proc/${process.pid}/environ`].map((path): MessageLine => ['read', path]),
    ...[join(bait.openFolder, 'planted'), '/usr/planted-by-hotcell'].map((path): MessageLine => ['write', path]),
    ['tcp', String(bait.tcpPort)],
    ['abstract', bait.abstractName],
    ...namespaces.map((name): MessageLine => ['same', name, readlinkSync(`/proc/self/ns/${name}`)]),
    ...optional('seccomp', questions.isFilterHidden ? undefined : '2'),
    ...optional('signal', questions.signalPid),
    ...optional('landlock', questions.landlockFd),
    ...optional('filter', questions.filter),
    ...optional('init', questions.isInit ? '1' : undefined),
  ];
}
