import type { OciSeccomp } from './seccomp-oci.ts';

/** The parts of the OCI runtime specification that a box uses. */

export interface OciMount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
}

export interface IdMapping {
  readonly containerID: number;
  readonly hostID: number;
  readonly size: number;
}

export interface OciConfig {
  readonly ociVersion: string;
  readonly process: {
    readonly terminal: boolean;
    readonly user: { readonly uid: number; readonly gid: number };
    readonly args: readonly string[];
    readonly env: readonly string[];
    readonly cwd: string;
    readonly capabilities: Readonly<Record<string, readonly string[]>>;
    readonly rlimits: readonly { readonly type: string; readonly hard: number; readonly soft: number }[];
    readonly noNewPrivileges: boolean;
  };
  readonly root: { readonly path: string; readonly readonly: boolean };
  readonly hostname: string;
  readonly mounts: readonly OciMount[];
  readonly linux: {
    readonly namespaces: readonly { readonly type: string; readonly path?: string }[];
    readonly uidMappings?: readonly IdMapping[];
    readonly gidMappings?: readonly IdMapping[];
    readonly maskedPaths: readonly string[];
    readonly readonlyPaths: readonly string[];
    readonly seccomp: OciSeccomp;
  };
}
