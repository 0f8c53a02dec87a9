import { mebibyte, minuteMs, secondMs } from '../../base/limits.ts';
import type { Registry } from '../../engine/net/index.ts';
import type { DependencyGraph } from '../ingest/fetch/dependencies/contract.ts';

/**
 * How a target gets into a box. Archives were fetched and verified before and are laid out as an installer would; whatever
 * is the publisher's code, from install scripts to builds, runs in the box. Paths begin with `{home}`, as in a policy.
 */

export interface BoxFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** Files that belong together; read when they are placed, so that only a few are in memory. */
export interface FileSource {
  readonly what: string;
  read(): Promise<readonly BoxFile[]>;
}

/** One command to be run in the box, in the order of the plan. */
export interface InstallStep {
  /** For people: whose script it is, and which. */
  readonly what: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
}

export interface InstallPlan {
  readonly ecosystem: 'npm' | 'pypi' | 'none';
  /** For the fake internet of the cell. */
  readonly registries: readonly Registry[];
  readonly sources: readonly FileSource[];
  readonly steps: readonly InstallStep[];
  /** Paths in the box: the folder of the target's own files, and what an installer would put on a search path. */
  readonly installed: { readonly folder: string; readonly programs: readonly string[] };
  /** Packages besides the target. */
  readonly packages: number;
  /** What could not be had, in words. */
  readonly problems: readonly string[];
  /** Removes what was unpacked for it. */
  close(): Promise<void>;
}

export interface InstallOptions {
  /** For what has to be unpacked; made when it is not there. */
  readonly workFolder: string;
  /** What inspection has resolved already. */
  readonly graph?: DependencyGraph;
  readonly limits?: Partial<InstallLimits>;
}

export interface InstallLimits {
  readonly concurrency: number;
  readonly mostPackages: number;
  readonly mostFiles: number;
  /** In a tree of more files, types and source maps of dependencies are left out. */
  readonly mostWholeFiles: number;
  readonly mostBytes: number;
  /** Of one archive, unpacked. */
  readonly mostArchiveBytes: number;
  /** Handed to the look-alike registry. */
  readonly mostRegistryBytes: number;
  readonly mostSteps: number;
  readonly stepMs: number;
  readonly buildMs: number;
}

export const defaultInstallLimits: InstallLimits = {
  concurrency: 8,
  mostPackages: 2000,
  mostFiles: 80_000,
  mostWholeFiles: 12_000,
  mostBytes: 480 * mebibyte,
  mostArchiveBytes: 192 * mebibyte,
  mostRegistryBytes: 16 * mebibyte,
  mostSteps: 24,
  stepMs: 20 * secondMs,
  buildMs: 1.5 * minuteMs,
};

export const appFolder = '{home}/app';

export function inHome(text: string, home: string): string {
  return text.replaceAll('{home}', home);
}
