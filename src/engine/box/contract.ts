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
  readonly result: 'held' | 'broken';
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
  /** For people: bytes that are no text are spelled out. */
  readonly path: string;
  /** The same as it is. */
  readonly pathBytes: Buffer;
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
  /** Which of the hooks the backend took: the system calls of the target are reported to it. */
  readonly watchedBy: 'trace' | 'notify' | null;
  /** True when the box stands in the network that it was given. */
  readonly isOnNetwork: boolean;
  /** Why stronger backends were not taken. */
  readonly passedOver: readonly { readonly backend: BackendId; readonly because: string }[];
}

/** A file that the host puts into the box. */
export interface PutFile {
  /** Path inside the box, below one of its folders. Folders on the way are made. */
  readonly path: string;
  readonly content: Uint8Array;
  /** Default: readable by all, writable by the box's user. */
  readonly mode?: number;
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
  /**
   * Puts one file after the other, each as `put` would, in a fraction of the time that many calls of it take. It asks for
   * the next file when the one before is written, and ends at the first that cannot be.
   */
  putAll(files: Iterable<PutFile> | AsyncIterable<PutFile>): Promise<void>;
  /** A path whose name is no UTF-8 is given as bytes. */
  get(path: string | Buffer, maxBytes?: number): Promise<Buffer>;
  diff(): Promise<Diff>;
  /**
   * Has the airlock of every target that runs do two known things for sensors to see, as it does by itself before it
   * lets a target go. Returns how many were asked to.
   */
  beat(): Promise<number>;
  close(): Promise<void>;
}

/** A network that was made for a box, for its backend to join. */
export interface BoxNetwork {
  /** The file that stands for its namespace. */
  readonly path: string;
  /** Names of namespaces that are of no use without the box, and go with it whatever happens. */
  readonly names: readonly string[];
}

/** A file that the box sees in place of the host's. */
export interface SystemFile {
  /** Path inside the box, outside its three folders. */
  readonly path: string;
  readonly content: string;
}

/** How sensors get in before the target does. Each backend takes what it can use; the record says what it took. */
export interface BoxHooks {
  /** A file that describes a trace session, for gVisor to open before anything runs. */
  readonly traceSession?: string;
  /** A filter that reports system calls. The airlock puts it on itself as its last act but one. */
  readonly notifyFilter?: Uint8Array;
  /**
   * Gets the other end of that filter, once per spawn, before the target starts; it is the callee's to close. `airlock` is
   * the process that will start the target, as the host numbers it.
   */
  readonly takeListener?: (listener: number, airlock: number) => Promise<void>;
}

export interface BoxOptions {
  /** Folder for everything a running box keeps on the host. */
  readonly runtimeFolder: string;
  /** Where docker listens, when it is not the default socket. */
  readonly dockerSocket?: string;
  /** Joined instead of an empty network of its own; the record says whether it was. */
  readonly network?: BoxNetwork;
  readonly systemFiles?: readonly SystemFile[];
  readonly hooks?: BoxHooks;
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
