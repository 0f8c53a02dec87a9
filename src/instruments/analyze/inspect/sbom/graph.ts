import type { Issue } from '../contract.ts';

/** One graph for every lock file: what is installed, and what asked for it. */

export type Ecosystem = 'npm' | 'pypi';

export interface ComponentHash {
  readonly algorithm: 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
  readonly hex: string;
}

export interface Component {
  /** The purl, and the same for every copy of one version of a package. */
  readonly purl: string;
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Undefined when only a range is known. */
  readonly version: string | undefined;
  /** What was asked for, when no version is known. */
  readonly range: string | undefined;
  readonly hashes: readonly ComponentHash[];
  /** As stated: an SPDX id, an expression, or a name. */
  readonly licences: readonly string[];
  readonly isDevelopment: boolean;
  readonly isOptional: boolean;
  /** It does not come from a registry: a folder, a git commit, a URL. */
  readonly origin: string | undefined;
  /** Purls of what it depends on. */
  readonly dependsOn: readonly string[];
}

export interface Graph {
  readonly root: { readonly name: string; readonly version: string | undefined; readonly ecosystem: Ecosystem };
  readonly direct: readonly string[];
  readonly components: readonly Component[];
  /** Where it was read: lock files and manifests, relative to the target. */
  readonly sources: readonly string[];
  /** False when something that is depended on is not in it, or has no version. */
  readonly isComplete: boolean;
  readonly issues: readonly Issue[];
}

/** Larger than any real tree (the largest npm projects have some 5,000), small enough to hold in memory. */
export const mostComponents = 50_000;
