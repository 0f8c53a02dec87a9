import type { Writable } from 'node:stream';
import type { Checkpoint, LedgerVerdict, StoredEntry } from './contract.ts';

/** What the functions of the ledger take and give. */

/** Where checkpoints go besides the file in the ledger. A copy that fails is told to `onProblem` and holds nothing up. */
export type CheckpointCopy =
  | { readonly to: 'file'; readonly path: string }
  | { readonly to: 'stream'; readonly stream: Writable }
  /** `/dev/log` unless a socket is named. */
  | { readonly to: 'syslog'; readonly socket?: string }
  /** One POST with the note as its body. */
  | { readonly to: 'url'; readonly url: string; readonly timeoutMs?: number };

export interface LedgerOptions {
  readonly folder: string;
  /** Name of the log in its checkpoints. Made up on first use; later it has to be the same. */
  readonly origin?: string;
  readonly segmentBytes?: number;
  /** A checkpoint after so many entries, … */
  readonly checkpointEvery?: number;
  /** … or when the oldest entry without one is so old. */
  readonly checkpointMs?: number;
  /** Below this the disk is waited for without another thread, by what its last fsync took. 0 is never, Infinity always. */
  readonly quickSyncMs?: number;
  /** How long other writers are waited for. */
  readonly lockWaitMs?: number;
  readonly copies?: readonly CheckpointCopy[];
  readonly onProblem?: (problem: string) => void;
}

/** Kinds of damage, in words that do not change. */
export const problemKinds = [
  'line',
  'field',
  'sequence',
  'chain',
  'root',
  'missing',
  'torn',
  'segment',
  'note',
  'key',
  'rollback',
  'unreadable',
] as const;
export type ProblemKind = (typeof problemKinds)[number];

export interface LedgerProblem {
  readonly kind: ProblemKind;
  /** The first bad entry; null when it is about no entry, such as a key. */
  readonly sequence: number | null;
  /** Set when the evidence only says that the first bad entry is one of `sequence` to `upTo`. */
  readonly upTo: number | null;
  /** Name of the file within the folder. */
  readonly file: string | null;
  /** Byte offset within that file. */
  readonly offset: number | null;
  readonly why: string;
}

export interface VerifyOptions {
  /** Verifier keys (`name+hash+base64`), one per item or several lines in one. Only these are trusted, and what they hand over to. */
  readonly publicKeys: readonly string[];
  /** A signed note that was kept elsewhere: the log must be a continuation of it. */
  readonly from?: string;
  readonly signal?: AbortSignal;
}

export interface SequenceRange {
  readonly from: number;
  readonly to: number;
}

export interface VerifyReport {
  readonly isIntact: boolean;
  readonly origin: string | null;
  /** Entries found, up to the first bad one. */
  readonly size: number;
  /** Root over them, hexadecimal. */
  readonly root: string;
  /** The first bad entry. */
  readonly first: LedgerProblem | null;
  /** All that was found, the first one first; at most 20. */
  readonly problems: readonly LedgerProblem[];
  readonly checkpoints: number;
  readonly lastCheckpoint: Checkpoint | null;
  /** Entries that no checkpoint vouches for yet. */
  readonly uncovered: number;
  /** Verifier keys that were trusted, in the order of their hand-overs. */
  readonly keys: readonly string[];
  /** Entries whose wall clock is before that of the entry before them. Allowed, and worth knowing. */
  readonly clockSteps: { readonly count: number; readonly first: number | null };
  /** Entries that are in the log and were perhaps never acknowledged to who wrote them, by the account of `ledger.recover` entries. */
  readonly unacknowledged: readonly SequenceRange[];
  /** Files with what crashed writers left behind. */
  readonly torn: readonly string[];
}

export interface ReadFilter {
  /** ISO time: entries written at or after it. */
  readonly since?: string;
  readonly server?: string;
  readonly verdict?: LedgerVerdict;
  readonly action?: string;
  readonly session?: string;
  readonly fromSequence?: number;
  readonly limit?: number;
  readonly newestFirst?: boolean;
}

export interface FollowOptions extends Omit<ReadFilter, 'limit' | 'newestFirst'> {
  readonly signal: AbortSignal;
}

export interface ReadEntry {
  readonly entry: StoredEntry;
  /** SHA-256 of 0x00 and the line, hexadecimal. */
  readonly leaf: string;
}

/** That one entry is in the tree of a checkpoint. All hashes hexadecimal. */
export interface InclusionProof {
  readonly sequence: number;
  readonly size: number;
  readonly root: string;
  /** The line itself, without its end. */
  readonly line: string;
  readonly leaf: string;
  readonly path: readonly string[];
  /** Signed note over `size` and `root`; null when no checkpoint covers the entry yet. */
  readonly checkpoint: string | null;
}

/** That the tree of the old size is the beginning of the tree of the new one. */
export interface ConsistencyProof {
  readonly oldSize: number;
  readonly oldRoot: string;
  readonly newSize: number;
  readonly newRoot: string;
  readonly path: readonly string[];
  /** Signed notes, where there are some of exactly these sizes. */
  readonly oldCheckpoint: string | null;
  readonly newCheckpoint: string | null;
}

/** `why` is null when the proof holds. */
export interface ProofVerdict {
  readonly holds: boolean;
  readonly why: string | null;
}

export interface FileCheck {
  readonly name: string;
  readonly what: string;
  /** What `repair` did, or would do; null when only a person can decide. */
  readonly remedy: string | null;
  readonly isRepaired: boolean;
}

export interface FileCheckReport {
  readonly isClean: boolean;
  readonly size: number;
  readonly checks: readonly FileCheck[];
}

export interface RotateOptions {
  /** How long both keys sign. 0 retires the old key at once. */
  readonly overlapMs: number;
}

export interface Rotation {
  readonly from: string;
  readonly to: string;
  /** When the old key retires, ISO time. */
  readonly until: string;
  /** The hand-over, signed by both. */
  readonly note: string;
}

export interface ExportOptions {
  /** A folder that does not exist yet, or is empty. */
  readonly to: string;
}

export interface ExportReport {
  readonly folder: string;
  readonly files: readonly string[];
  readonly size: number;
  readonly bytes: number;
}
