import type { FetchContext, RegistryFacts } from './fetch/contract.ts';
import type { ParsedTarget } from './target/contract.ts';
import type { ArchiveIssue, UnpackLimits } from './unpack/contract.ts';

/** A target as a folder of files to inspect. Nothing of it was run to get there. */

export interface IngestContext extends FetchContext {
  /** Where folders are made for the work; whatever is made there is gone after `close()`. */
  readonly workFolder: string;
  readonly unpackLimits?: Partial<UnpackLimits>;
  readonly maxFiles?: number;
}

export interface ListedFile {
  /** Below the folder, with forward slashes. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly isExecutable: boolean;
  /** In a `node_modules` or `site-packages` of the target. */
  readonly isDependency: boolean;
}

export type ManifestKind =
  | 'npm'
  | 'python-project'
  | 'python-setup'
  | 'python-metadata'
  | 'bundle'
  | 'server'
  | 'tools';

export interface FoundManifest {
  readonly kind: ManifestKind;
  readonly path: string;
}

export interface FoundLockfile {
  readonly kind: string;
  readonly path: string;
}

export interface Ingested {
  readonly target: ParsedTarget;
  readonly resolved: {
    readonly name: string;
    readonly version?: string;
    readonly integrity?: string;
    /** Whether the source had told a hash, which fits. Absent where there is no source but the disk. */
    readonly isVerified?: boolean;
  };
  /** Where it came from, without credentials. */
  readonly origin: string;
  readonly folder: string;
  /** The file that would be started, where the target names one. */
  readonly entry?: string;
  readonly files: readonly ListedFile[];
  readonly droppedFiles: number;
  readonly manifests: readonly FoundManifest[];
  readonly lockfiles: readonly FoundLockfile[];
  readonly issues: readonly ArchiveIssue[];
  readonly droppedIssues: number;
  /** False when a limit or a broken archive left something out. */
  readonly isComplete: boolean;
  readonly registry?: RegistryFacts;
  close(): Promise<void>;
}
