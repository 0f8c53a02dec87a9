import type { Readable, Writable } from 'node:stream';
import type { Outcome } from '../../base/outcome.ts';
import type { Limits, Policy } from '../../base/policy-schema.ts';
import type { Gap } from '../policy/gap.ts';

/** A box is a confined place made for one target and thrown away. */

export const backendIds = ['gvisor', 'runc', 'docker', 'bwrap', 'landlock'] as const;
export type BackendId = (typeof backendIds)[number];

/** One question asked from inside the box before the target may start. */
export interface CheckResult {
  readonly id: string;
  /** `skipped` names what made the question meaningless on this backend. */
  readonly result: 'held' | 'broken' | 'skipped';
  readonly detail: string;
}

/** How a limit is kept, or that it is not. */
export interface LimitInForce {
  readonly limit: keyof Limits;
  readonly value: number;
  /** e.g. `cgroup-v1`, `rlimit`, `tmpfs`, `watchdog`, `none`. */
  readonly by: string;
}

export interface LimitHit {
  readonly limit: keyof Limits;
  readonly detail: string;
}

export interface Capabilities {
  readonly version: string;
  readonly notes: readonly string[];
}

export interface SpawnOptions {
  /** Only names that the policy's environment list has are let in; anything else is a UsageError. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Path inside the box. Default: the box's work folder. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
  readonly wallMs: number;
  readonly peakMemoryBytes: number | null;
  readonly limitsHit: readonly LimitHit[];
  /** Output that was read from the box but not handed on, because the cap was reached. */
  readonly droppedOutputBytes: number;
  /** Processes that the target left behind and that were ended with it, where the backend can count them. */
  readonly leftBehind: number | null;
}

export interface BoxProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ExitStatus>;
  /** Ends every process that this one started. */
  kill(signal?: NodeJS.Signals): void;
}

export type ChangeKind = 'created' | 'changed' | 'removed';

export interface DiskChange {
  readonly path: string;
  readonly kind: ChangeKind;
  readonly type: 'file' | 'folder' | 'link' | 'other';
  readonly sizeBytes: number;
  readonly mode: number;
  /** Of the content now; null where it was not read (folder, too large, removed). */
  readonly sha256: string | null;
  readonly linkTarget?: string;
}

export interface Diff {
  readonly changes: readonly DiskChange[];
  /** True when there was more than the cap allows to list. */
  readonly isTruncated: boolean;
}

export interface BoxRecord {
  readonly id: string;
  readonly backend: BackendId;
  readonly policy: string;
  readonly fingerprint: string;
  readonly limitsInForce: readonly LimitInForce[];
  readonly gaps: readonly Gap[];
  readonly selfCheck: readonly CheckResult[];
  /** Why stronger backends were not taken. */
  readonly passedOver: readonly { readonly backend: BackendId; readonly because: string }[];
}

/** Paths inside the box. */
export interface BoxFolders {
  readonly home: string;
  readonly work: string;
  readonly tmp: string;
}

export interface Box extends AsyncDisposable {
  record: BoxRecord;
  readonly folders: BoxFolders;
  /** Resolves when the airlock inside the box has proven the confinement and the target has been let go. */
  spawn(argv: readonly string[], options?: SpawnOptions): Promise<BoxProcess>;
  put(path: string, content: Uint8Array, mode?: number): Promise<void>;
  get(path: string, maxBytes?: number): Promise<Buffer>;
  diff(): Promise<Diff>;
  close(): Promise<void>;
}

export interface BoxOptions {
  /** Folder for everything a running box keeps on the host. */
  readonly runtimeFolder: string;
  /** Where docker listens, when it is not the default socket. */
  readonly dockerSocket?: string;
}

export interface BoxBackend {
  readonly id: BackendId;
  /** Larger is stronger; `auto` goes from the strongest down. */
  readonly strength: number;
  readonly title: string;
  /** What it does not stop, for docs/threat-model.md. */
  readonly cannot: readonly Gap[];
  readonly stops: readonly string[];
  /** A quick look at what a box would need; `probe` looks closer, for people. */
  check(options: BoxOptions): Promise<Outcome<string>>;
  probe(options: BoxOptions): Promise<Outcome<Capabilities>>;
  create(policy: Policy, options: BoxOptions): Promise<Box>;
}
