/** A connector runs commands in a place that exists already and is made for it. A box is made and thrown away; this is not. */

export const connectorIds = ['local', 'docker', 'ssh'] as const;
export type ConnectorId = (typeof connectorIds)[number];

export interface ExecOptions {
  /** After this time the whole process group is ended, there as well as here, and what had arrived is returned. */
  readonly timeoutMs: number;
  readonly input?: Uint8Array;
  /** Has to exist. Default: the home of the user there. */
  readonly cwd?: string;
  /** Added to a small fixed environment; nothing of the caller's own is handed on. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Aborted: everything is ended as with the time limit. */
  readonly signal?: AbortSignal;
  /** Per stream; above it output is read and dropped, and counted. Default 10 MB. */
  readonly maxOutputBytes?: number;
  /** Told as it arrives, whole characters only. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
}

export interface ExecResult {
  /** Null when a signal ended it, or when it was ended by us. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly droppedStdoutBytes: number;
  readonly droppedStderrBytes: number;
  readonly hasTimedOut: boolean;
  readonly wasCancelled: boolean;
  readonly elapsedMs: number;
}

export interface FileReceipt {
  readonly path: string;
  readonly sizeBytes: number;
  /** Computed on both sides, and the same. */
  readonly sha256: string;
}

export type EntryType = 'file' | 'folder' | 'link' | 'other';

export interface PlaceEntry {
  readonly name: string;
  readonly type: EntryType;
  readonly sizeBytes: number;
  /** The lower twelve bits. */
  readonly mode: number;
  readonly changedAt: string;
  readonly linkTarget?: string;
}

export interface PutOptions {
  /** Default 0o600. */
  readonly mode?: number;
  /** Default false: a file that is there is a UsageError. */
  readonly isOverwriteAllowed?: boolean;
  readonly signal?: AbortSignal;
}

export interface GetOptions {
  /** A larger file is a UsageError that names both sizes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface Connector extends AsyncDisposable {
  readonly id: ConnectorId;
  /** For people, such as `container remnux, as remnux`. */
  readonly place: string;
  /** Whether it can be reached now; opens the connection. A HostError says what to do where it cannot. */
  check(): Promise<void>;
  /** A program that is not there is a result with code 127, as a shell has it. */
  exec(argv: readonly string[], options: ExecOptions): Promise<ExecResult>;
  /** One line for /bin/sh there. */
  shell(line: string, options: ExecOptions): Promise<ExecResult>;
  /** A source is bytes or a file of this host. Written beside and moved into place when the hash is right. Missing folders are made. */
  put(path: string, source: Uint8Array | { readonly file: string }, options?: PutOptions): Promise<FileReceipt>;
  get(path: string, options: GetOptions): Promise<{ readonly content: Buffer; readonly receipt: FileReceipt }>;
  /** The same into a new file of this host; nothing is left behind when it fails. */
  getToFile(path: string, file: string, options: GetOptions): Promise<FileReceipt>;
  /** Without following a link at the end; null where there is nothing. */
  stat(path: string, signal?: AbortSignal): Promise<PlaceEntry | null>;
  /** With every link on the way followed; null where it leads nowhere. */
  realPath(path: string, signal?: AbortSignal): Promise<string | null>;
  /** At most `most` entries, by name; says whether there were more. A folder that is not there is a UsageError. */
  list(
    path: string,
    most: number,
    signal?: AbortSignal,
  ): Promise<{ readonly entries: readonly PlaceEntry[]; readonly hasMore: boolean }>;
  makeFolder(path: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
