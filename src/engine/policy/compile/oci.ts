import { mebibyte } from '../../../base/limits.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import type { Compiled } from '../gap.ts';
import { errnos } from './denials.ts';
import { compileMounts, type Mount } from './mounts.ts';
import { emptyNetworkGaps } from './network-gap.ts';
import type { IdMapping, OciConfig, OciMount } from './oci-config.ts';
import type { Place } from './place.ts';
import { searchPathOf } from './search-path.ts';
import { compileSeccomp } from './seccomp.ts';
import type { OciSeccomp } from './seccomp-oci.ts';

/** config.json of an OCI bundle, runtime specification 1.0.2. */

export interface OciOptions {
  readonly runtime: 'runc' | 'gvisor';
  readonly args: readonly string[];
  readonly cwd: string;
  /** The network to stand in instead of an empty one. */
  readonly network?: string | undefined;
}

const capabilitySets = ['bounding', 'effective', 'inheritable', 'permitted', 'ambient'];

/** Parts of /proc that tell about the machine or change it. */
const maskedPaths = [
  'kcore',
  'keys',
  'kmsg',
  'latency_stats',
  'timer_list',
  'timer_stats',
  'sched_debug',
  'scsi',
  'acpi',
];
const readonlyPaths = ['asound', 'bus', 'fs', 'irq', 'sys', 'sysrq-trigger'];

/** Shared memory that programs pass between their processes: a quarter of the memory, and no more than this. */
export function sharedMemoryBytes(policy: Policy): number {
  return Math.min(64 * mebibyte, Math.floor(policy.limits.memoryBytes / 4));
}

function kernelMounts(policy: Policy): OciMount[] {
  const safe = ['nosuid', 'noexec'];
  const shared = `size=${sharedMemoryBytes(policy)}`;
  return [
    { destination: '/proc', type: 'proc', source: 'proc', options: [...safe, 'nodev'] },
    {
      destination: '/dev',
      type: 'tmpfs',
      source: 'tmpfs',
      options: [...safe, 'strictatime', 'mode=755', 'size=65536'],
    },
    { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: [...safe, 'nodev', 'mode=1777', shared] },
  ];
}

/**
 * `rbind`, because a folder with mounts below it cannot be bound alone from inside a user namespace; `rro` makes those
 * read-only too. gVisor does not know that word: there `ro` holds for everything below.
 */
function bindOptions(
  access: { readonly write: boolean; readonly execute: boolean },
  runtime: OciOptions['runtime'],
): readonly string[] {
  return [
    'rbind',
    ...(access.write ? ['rw'] : runtime === 'runc' ? ['ro', 'rro'] : ['ro']),
    'nosuid',
    'nodev',
    ...(access.execute ? [] : ['noexec']),
  ];
}

function bindMounts(mounts: readonly Mount[], runtime: OciOptions['runtime']): OciMount[] {
  return mounts.flatMap((mount) =>
    mount.kind !== 'bind'
      ? []
      : [
          {
            destination: mount.target,
            type: 'bind',
            source: mount.source,
            options: bindOptions(mount.access, runtime),
          },
        ],
  );
}

/** Root of the box is nobody on the host, and the target's user is the box's own user there. */
function idMappings(id: number, hostId: number): readonly IdMapping[] {
  const own = { containerID: id, hostID: hostId, size: 1 };
  return id === 0 ? [own] : [{ containerID: 0, hostID: hostId + 1, size: 1 }, own];
}

function rlimits({ limits }: Policy, runtime: OciOptions['runtime']): OciConfig['process']['rlimits'] {
  const limit = (type: string, value: number) => ({ type, hard: value, soft: value });
  return [
    limit('RLIMIT_NOFILE', limits.openFiles),
    limit('RLIMIT_FSIZE', limits.fileBytes),
    limit('RLIMIT_CORE', 0),
    // gVisor's processes are none of the host's, so a control group does not count them.
    ...(runtime === 'gvisor' ? [limit('RLIMIT_NPROC', limits.processes)] : []),
  ];
}

function isolation(
  place: Place,
  { runtime, network }: OciOptions,
): Pick<OciConfig['linux'], 'namespaces' | 'uidMappings' | 'gidMappings'> {
  const namespaces = ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type }));
  // gVisor has a kernel of its own and makes what it needs on the host by itself; it is started in the network it is to
  // stand in.
  if (runtime === 'gvisor') {
    return { namespaces: network === undefined ? [...namespaces, { type: 'network' }] : namespaces };
  }
  return {
    namespaces: [
      ...namespaces,
      { type: 'network', ...(network === undefined ? {} : { path: network }) },
      { type: 'user' },
    ],
    uidMappings: idMappings(place.uid, place.hostUid),
    gidMappings: idMappings(place.gid, place.hostGid),
  };
}

/**
 * gVisor answers EPERM to everything on the list, whatever errno it names. Calls that must answer "no such call" are
 * left to its own kernel, whose namespaces are none of the host's.
 */
function filterFor(runtime: OciOptions['runtime'], filter: OciSeccomp): OciSeccomp {
  if (runtime === 'runc') return filter;
  return { ...filter, syscalls: filter.syscalls.filter(({ errnoRet }) => errnoRet === errnos.EPERM) };
}

export function compileOci(policy: Policy, place: Place, options: OciOptions): Compiled<OciConfig> {
  const mounts = compileMounts(policy, place);
  const seccomp = compileSeccomp(policy, { architecture: place.architecture, hasNetworkNamespace: true });
  return {
    value: {
      ociVersion: '1.0.2',
      process: {
        terminal: false,
        user: { uid: place.uid, gid: place.gid },
        args: options.args,
        env: [`PATH=${searchPathOf(policy)}`],
        cwd: options.cwd,
        capabilities: Object.fromEntries(capabilitySets.map((set) => [set, []])),
        rlimits: rlimits(policy, options.runtime),
        noNewPrivileges: true,
      },
      root: { path: place.rootFolder, readonly: true },
      hostname: place.hostName,
      mounts: [...kernelMounts(policy), ...bindMounts(mounts.value, options.runtime)],
      linux: {
        ...isolation(place, options),
        maskedPaths: maskedPaths.map((name) => `/proc/${name}`),
        readonlyPaths: readonlyPaths.map((name) => `/proc/${name}`),
        seccomp: filterFor(options.runtime, seccomp.value.oci),
      },
    },
    gaps: [...mounts.gaps, ...seccomp.gaps, ...(options.network === undefined ? emptyNetworkGaps(policy) : [])],
  };
}
