import { gibibyte, kibibyte, mebibyte, minuteMs } from '../../../base/limits.ts';
import type { UntrustedText } from '../../../base/untrusted.ts';

/**
 * An archive is hostile input. What cannot be placed safely is refused or contained, and either is told: nothing is
 * dropped in silence, and nothing outside the given folder is touched.
 */

/** `stop`: nothing after it was unpacked. `refused`: the entry is not on disk. `contained`: it is, made harmless. */
export const archiveIssues = {
  'path-traversal': 'refused',
  'absolute-path': 'refused',
  'drive-letter': 'refused',
  'nul-in-name': 'refused',
  'empty-name': 'refused',
  'path-too-long': 'refused',
  'path-too-deep': 'refused',
  'link-out': 'refused',
  'link-not-followed': 'refused',
  'through-link': 'refused',
  'special-file': 'refused',
  'file-folder-conflict': 'refused',
  'too-large-file': 'refused',
  encrypted: 'refused',
  overlapping: 'refused',
  'unsupported-compression': 'refused',
  'unsupported-entry': 'refused',
  'broken-entry': 'refused',
  'outside-top-folder': 'refused',
  backslash: 'contained',
  'odd-name': 'contained',
  'set-id-mode': 'contained',
  'name-collision': 'contained',
  'duplicate-entry': 'contained',
  'name-differs': 'contained',
  'size-differs': 'contained',
  'wrong-checksum': 'contained',
  'odd-header': 'contained',
  'broken-header': 'contained',
  'trailing-data': 'contained',
  'bomb-ratio': 'stop',
  'too-large-total': 'stop',
  'too-many-entries': 'stop',
  'too-slow': 'stop',
  truncated: 'stop',
  broken: 'stop',
} as const satisfies Record<string, 'stop' | 'refused' | 'contained'>;

export type ArchiveIssueId = keyof typeof archiveIssues;

export interface ArchiveIssue {
  readonly id: ArchiveIssueId;
  /** The name in the archive, as it stands there. Empty when the archive as a whole is meant. */
  readonly entry: UntrustedText;
  /** One sentence of ours; it holds nothing from the archive. */
  readonly what: string;
}

export interface UnpackLimits {
  readonly maxEntries: number;
  readonly maxTotalBytes: number;
  readonly maxFileBytes: number;
  /** Bytes out per byte in, looked at once more than `ratioFloorBytes` came out. */
  readonly maxRatio: number;
  readonly ratioFloorBytes: number;
  readonly maxPathBytes: number;
  readonly maxNameBytes: number;
  readonly maxDepth: number;
  /** Names of all entries together: what is kept in memory. */
  readonly maxAllNamesBytes: number;
  readonly maxIssues: number;
  /** One extended header of a tar file. */
  readonly maxHeaderBytes: number;
  readonly maxArchiveBytes: number;
  readonly timeoutMs: number;
}

export const defaultUnpackLimits: UnpackLimits = {
  maxEntries: 100_000,
  maxTotalBytes: gibibyte,
  maxFileBytes: 256 * mebibyte,
  maxRatio: 200,
  ratioFloorBytes: 32 * mebibyte,
  maxPathBytes: 2048,
  maxNameBytes: 255,
  maxDepth: 128,
  maxAllNamesBytes: 64 * mebibyte,
  maxIssues: 1000,
  maxHeaderBytes: 256 * kibibyte,
  maxArchiveBytes: gibibyte,
  timeoutMs: 2 * minuteMs,
};

export interface UnpackOptions {
  readonly limits?: Partial<UnpackLimits>;
  /** 1: the first folder of every name is taken off, whatever it is called. That is how npm installs a package. */
  readonly strip?: 0 | 1;
}

export interface Unpacked {
  readonly format: 'tar' | 'zip' | 'unknown';
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly entries: number;
  readonly issues: readonly ArchiveIssue[];
  /** Issues over the cap: counted, not kept. */
  readonly droppedIssues: number;
  /** False when something stopped the work before the end of the archive. */
  readonly isComplete: boolean;
}
