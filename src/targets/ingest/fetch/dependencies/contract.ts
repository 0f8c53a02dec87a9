import { minuteMs } from '../../../../base/limits.ts';

/** The packages that an install would bring, found from metadata alone. */

export interface DependencyEdge {
  readonly name: string;
  /** As the dependent wrote it. */
  readonly range: string;
  readonly kind: 'normal' | 'optional' | 'peer';
  /** The version that was chosen; absent when it could not be resolved. */
  readonly version?: string;
}

export interface ResolvedPackage {
  readonly ecosystem: 'npm' | 'pypi';
  readonly name: string;
  readonly version: string;
  readonly integrity?: string;
  readonly dependencies: readonly DependencyEdge[];
  readonly hasInstallScript: boolean;
  readonly licence?: string;
}

export interface UnresolvedDependency {
  readonly name: string;
  readonly range: string;
  readonly kind: DependencyEdge['kind'];
  readonly why: string;
}

export interface DependencyGraph {
  /** What the target itself asks for. */
  readonly direct: readonly DependencyEdge[];
  readonly packages: readonly ResolvedPackage[];
  readonly unresolved: readonly UnresolvedDependency[];
  /** False when a limit ended the work. */
  readonly isComplete: boolean;
}

export interface ResolveLimits {
  readonly maxPackages: number;
  readonly timeoutMs: number;
  readonly concurrency: number;
}

export const defaultResolveLimits: ResolveLimits = { maxPackages: 2000, timeoutMs: 2 * minuteMs, concurrency: 8 };

export interface WantedDependency {
  readonly name: string;
  readonly range: string;
  readonly kind: DependencyEdge['kind'];
}
