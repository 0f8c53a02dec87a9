import type { Policy } from '../../../base/policy-schema.ts';
import type { Compiled } from '../gap.ts';
import { compileMounts, type Mount } from './mounts.ts';
import { emptyNetworkGaps } from './network-gap.ts';
import { noExecGaps } from './no-exec-gap.ts';
import { sharedMemoryBytes } from './oci.ts';
import type { Place } from './place.ts';
import { searchPathOf } from './search-path.ts';
import { compileSeccomp } from './seccomp.ts';

/** Body of the engine's "create a container". Links and mount points have to be in the image already. */

export interface DockerOptions {
  /** Another runtime that the engine knows, such as `runsc`. */
  readonly runtime?: string;
  /** Default: the image that `hotcell build` makes. */
  readonly image?: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

export interface DockerMount {
  readonly Type: 'bind';
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
  readonly BindOptions: { readonly Propagation: 'rprivate'; readonly NonRecursive: boolean };
}

export const dockerImage = 'hotcell-box';
export const dockerLabel = 'hotcell.box';

function bindMounts(mounts: readonly Mount[]): DockerMount[] {
  return mounts.flatMap((mount) =>
    mount.kind !== 'bind'
      ? []
      : [
          {
            Type: 'bind',
            Source: mount.source,
            Target: mount.target,
            ReadOnly: !mount.access.write,
            BindOptions: { Propagation: 'rprivate', NonRecursive: true },
          },
        ],
  );
}

function hostConfig(policy: Policy, place: Place, mounts: readonly Mount[], runtime: string | undefined) {
  const { limits } = policy;
  const seccomp = compileSeccomp(policy, { architecture: place.architecture, hasNetworkNamespace: true }).value.oci;
  const limit = (Name: string, value: number) => ({ Name, Hard: value, Soft: value });
  return {
    ...(runtime === undefined ? {} : { Runtime: runtime }),
    NetworkMode: 'none',
    IpcMode: 'private',
    CgroupnsMode: 'private',
    Privileged: false,
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges', `seccomp=${JSON.stringify(seccomp)}`],
    Memory: limits.memoryBytes,
    MemorySwap: limits.memoryBytes,
    PidsLimit: limits.processes,
    NanoCpus: Math.round(limits.cpuCores * 1e9),
    Ulimits: [limit('nofile', limits.openFiles), limit('fsize', limits.fileBytes), limit('core', 0)],
    ShmSize: sharedMemoryBytes(policy),
    Mounts: bindMounts(mounts),
    Init: false,
    AutoRemove: false,
    RestartPolicy: { Name: 'no' },
    LogConfig: { Type: 'none', Config: {} },
  };
}

export interface DockerBody {
  readonly Image: string;
  readonly Cmd: string[];
  readonly Entrypoint: string[];
  readonly Env: string[];
  readonly WorkingDir: string;
  readonly User: string;
  readonly Hostname: string;
  readonly Labels: Record<string, string>;
  readonly Tty: false;
  readonly OpenStdin: true;
  readonly StdinOnce: true;
  readonly AttachStdin: true;
  readonly AttachStdout: true;
  readonly AttachStderr: true;
  readonly NetworkDisabled: boolean;
  readonly HostConfig: ReturnType<typeof hostConfig>;
}

export function compileDocker(policy: Policy, place: Place, options: DockerOptions): Compiled<DockerBody> {
  const mounts = compileMounts(policy, place);
  const body: DockerBody = {
    Image: options.image ?? dockerImage,
    Entrypoint: options.args.slice(0, 1),
    Cmd: options.args.slice(1),
    Env: [`PATH=${searchPathOf(policy)}`],
    WorkingDir: options.cwd,
    User: `${place.uid}:${place.gid}`,
    Hostname: place.hostName,
    Labels: { [dockerLabel]: place.boxId },
    Tty: false,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: true,
    HostConfig: hostConfig(policy, place, mounts.value, options.runtime),
  };
  return { value: body, gaps: [...mounts.gaps, ...noExecGaps(mounts.value, 0), ...emptyNetworkGaps(policy)] };
}
