import type { Policy } from '../../../base/policy-schema.ts';
import type { Compiled } from '../gap.ts';
import { compileMounts, type Mount } from './mounts.ts';
import { emptyNetworkGaps } from './network-gap.ts';
import { noExecGaps } from './no-exec-gap.ts';
import type { Place } from './place.ts';
import { searchPathOf } from './search-path.ts';

/** Arguments for bubblewrap, run by an ordinary user. The root folder holds the mount points already. */

export interface BwrapOptions {
  /** Descriptor that bubblewrap reads the filter from; null where the filter is put on inside. */
  readonly seccompFd: number | null;
  readonly args: readonly string[];
  readonly cwd: string;
  /** True when it is started in the network that the box is to stand in. */
  readonly isInNetwork?: boolean;
}

const isolation = [
  ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
];

function bindArguments(mounts: readonly Mount[]): readonly string[] {
  // Links stand in the root folder.
  return mounts.flatMap((mount) =>
    mount.kind !== 'bind' ? [] : [mount.access.write ? '--bind' : '--ro-bind', mount.source, mount.target],
  );
}

/** bubblewrap's own /dev is writable and would be space without a limit, so it is closed; shared memory is put in {tmp}. */
function deviceArguments(mounts: readonly Mount[], place: Place): readonly string[] {
  const tmp = mounts.find((mount) => mount.kind === 'bind' && mount.source === place.hostFolders.tmp);
  const shared = tmp?.kind === 'bind' && tmp.access.write ? ['--bind', tmp.source, '/dev/shm'] : [];
  return ['--proc', '/proc', '--dev', '/dev', ...shared, '--remount-ro', '/dev'];
}

export function compileBwrap(policy: Policy, place: Place, options: BwrapOptions): Compiled<readonly string[]> {
  const mounts = compileMounts(policy, place);
  const value = [
    ...isolation,
    ...(options.isInNetwork ? [] : ['--unshare-net']),
    ...['--uid', String(place.uid), '--gid', String(place.gid), '--hostname', place.hostName],
    ...['--setenv', 'PATH', searchPathOf(policy)],
    ...['--ro-bind', place.rootFolder, '/'],
    ...deviceArguments(mounts.value, place),
    ...bindArguments(mounts.value),
    ...(options.seccompFd === null ? [] : ['--seccomp', String(options.seccompFd)]),
    ...['--chdir', options.cwd, '--', ...options.args],
  ];
  const networkGaps = options.isInNetwork ? [] : emptyNetworkGaps(policy);
  return { value, gaps: [...mounts.gaps, ...noExecGaps(mounts.value, place.landlockAbi), ...networkGaps] };
}
