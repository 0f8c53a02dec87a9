import type { Policy } from '../../../base/policy-schema.ts';
import type { Gap } from '../gap.ts';
import { describeEndpoint, isUnrestricted } from '../network.ts';

/** What a policy loses when it is handed to a tool of somebody else: gaps that several of those forms have in common. */

const limitNames: Readonly<Record<keyof Policy['limits'], string>> = {
  memoryBytes: 'memory',
  processes: 'number of processes',
  cpuCores: 'share of cores',
  wallMs: 'time until the end',
  outputBytes: 'size of the output',
  fileBytes: 'size of one file',
  diskBytes: 'space on disk',
  openFiles: 'number of open files',
};

/** One gap for all limits that are not kept. */
export function limitGaps(names: readonly (keyof Policy['limits'])[]): readonly Gap[] {
  const what = `these limits are not kept: ${names.map((name) => limitNames[name]).join(', ')}`;
  return [{ id: 'limits', path: 'limits', what, effect: 'open' }];
}

export const everyLimit = Object.keys(limitNames) as readonly (keyof Policy['limits'])[];

export function syscallGaps({ syscalls }: Policy, instead: string): readonly Gap[] {
  if (syscalls.deny.length === 0) return [];
  const what = `the list of ${syscalls.deny.length} refused system calls is not kept: ${instead}`;
  return [{ id: 'syscalls', path: 'syscalls.deny', what, effect: 'open' }];
}

/** Which tools of a server may be called is decided where its messages are read. */
export function toolGaps({ tools = [] }: Policy): readonly Gap[] {
  if (tools.length === 0) return [];
  const what = `the ${tools.length} rules about tools are not kept: messages of the server are not read`;
  return [{ id: 'tools', path: 'tools', what, effect: 'open' }];
}

/** For the number of paths that are given without the right to execute. */
export function noExecuteGaps(paths: number): readonly Gap[] {
  if (paths === 0) return [];
  const what = `programs in ${paths} paths without an execute rule can be run: execute is not told from read`;
  return [{ id: 'no-exec', path: 'files', what, effect: 'open' }];
}

export function fakeNetworkGaps({ network }: Policy): readonly Gap[] {
  if (network.mode !== 'fake') return [];
  const what = 'there is no fake internet: the target has no network';
  return [{ id: 'fake-network', path: 'network.mode', what, effect: 'closed' }];
}

/** One gap per rule about the network that is left out. */
export function unreachableGaps(
  policy: Policy,
  isLeftOut: (rule: Policy['network']['rules'][number]) => boolean,
  because: string,
): readonly Gap[] {
  if (policy.network.mode !== 'allowlist' || isUnrestricted(policy)) return [];
  return policy.network.rules.flatMap((rule, at): Gap[] => {
    if (!isLeftOut(rule)) return [];
    const what = `${describeEndpoint(rule)} cannot be reached: ${because}`;
    return [{ id: 'network-rule', path: `network.rules[${at}]`, what, effect: 'closed' }];
  });
}

export function pathGap(at: number, path: string, id: string, because: string): Gap {
  return { id, path: `files[${at}]`, what: `${path} is not given: ${because}`, effect: 'closed' };
}
