import type { Policy } from '../../../base/policy-schema.ts';
import type { Gap } from '../gap.ts';
import { describeEndpoint, isUnrestricted } from '../network.ts';
import { isWithin } from '../paths.ts';
import type { Place } from './place.ts';

/** What a policy asks for and Landlock cannot keep. */

type Question = (policy: Policy, place: Place, abi: number) => readonly Gap[];

function always(id: string, path: string, what: string, effect: Gap['effect']): Question {
  return () => [{ id, path, what, effect }];
}

function below(version: number, id: string, path: string, what: string, effect: Gap['effect']): Question {
  return (_policy, _place, abi) => (abi < version ? [{ id, path, what, effect }] : []);
}

const names: Question = (policy, _place, abi) => {
  if (policy.network.mode !== 'allowlist' || isUnrestricted(policy)) return [];
  if (abi < 4) {
    const what = 'this kernel cannot limit TCP to ports (Landlock ABI 4), so the box has no network at all';
    return [{ id: 'network-ports', path: 'network.rules', what, effect: 'closed' }];
  }
  return policy.network.rules.flatMap((rule, at): Gap[] => {
    if (rule.host === '*') return [];
    const what = `${describeEndpoint(rule)} cannot be reached: Landlock knows ports, but neither names nor addresses`;
    return [{ id: 'network-by-name', path: `network.rules[${at}]`, what, effect: 'closed' }];
  });
};

const fake: Question = ({ network }) =>
  network.mode === 'fake'
    ? [
        {
          id: 'fake-network',
          path: 'network.mode',
          what: 'there is no network of its own to put a fake internet into: the box has none',
          effect: 'closed',
        },
      ]
    : [];

const datagrams: Question = (policy) =>
  policy.network.mode === 'allowlist' && !isUnrestricted(policy)
    ? [
        {
          id: 'udp',
          path: 'network.rules',
          what: 'Landlock sees TCP only, so UDP is refused, DNS included',
          effect: 'closed',
        },
      ]
    : [];

const nested: Question = (_policy, { hostFolders }) => {
  const folders = Object.entries(hostFolders);
  return folders.flatMap(([name, folder]) =>
    folders
      .filter(([other, above]) => other !== name && isWithin(folder, above))
      .map(
        ([other]): Gap => ({
          id: 'nested-box-folders',
          path: 'files',
          what: `{${name}} lies in {${other}} on the host and has what is allowed there as well`,
          effect: 'open',
        }),
      ),
  );
};

const questions: readonly Question[] = [
  always(
    'proc-partly',
    'files',
    'of /proc only facts about the machine and the first process of the box can be read',
    'closed',
  ),
  always('names-visible', 'files', 'that a file or a process exists can be found out, whatever the rules say', 'open'),
  always(
    'file-times',
    'files',
    'setting the times of a file is refused, because Landlock does not look at it',
    'closed',
  ),
  always(
    'shared-memory',
    'files',
    "System V shared memory, semaphores and queues are refused: they would be the host's",
    'closed',
  ),
  always('identity', 'files', "host name, user names and the files of /etc are the host's own", 'open'),
  always('cpu-share', 'limits.cpuCores', 'the share of cores is kept only where a control group can be made', 'open'),
  always(
    'memory-together',
    'limits.memoryBytes',
    'without a control group memory is limited per process, not together',
    'open',
  ),
  always(
    'processes',
    'limits.processes',
    'without a control group processes are counted per user, not per box',
    'open',
  ),
  always(
    'unix-sockets',
    'network',
    'Landlock does not see sockets that have a path, so AF_UNIX is refused but for pairs',
    'closed',
  ),
  fake,
  names,
  datagrams,
  nested,
  below(1, 'landlock', 'files', 'this kernel has no Landlock: no rule about files is kept', 'open'),
  below(2, 'refer', 'files', 'moving and linking files between folders is refused (Landlock ABI 2)', 'closed'),
  below(
    3,
    'truncate',
    'files',
    'files that the user may write can be cut to zero length anywhere (Landlock ABI 3)',
    'open',
  ),
  below(5, 'device-control', 'files', 'ioctl on devices that can be opened is not restricted (Landlock ABI 5)', 'open'),
  below(
    6,
    'signals',
    'files',
    'signals and abstract sockets of the same user are not restricted (Landlock ABI 6)',
    'open',
  ),
];

export function landlockGaps(policy: Policy, place: Place, abi: number): readonly Gap[] {
  return questions.flatMap((ask) => ask(policy, place, abi));
}
