import { kibibyte, mebibyte, minuteMs, secondMs } from '../../base/limits.ts';

/** Every buffer a cap, every wait a limit. */
export const ledgerLimits = {
  segmentBytes: 64 * mebibyte,
  checkpointEvery: 1000,
  checkpointMs: minuteMs,
  lockWaitMs: 10 * secondMs,
  /** A disk is quick when its last fsync took less; then it is waited for without another thread. */
  quickSyncMs: 0.5,
  /** One line, its end included. */
  lineBytes: 64 * kibibyte,
  /** Canonical text of the details of one entry. */
  detailsBytes: 16 * kibibyte,
  detailsDepth: 16,
  detailsItems: 256,
  detailsTextChars: 2048,
  actionChars: 64,
  nameChars: 512,
  /** Entries that wait for the disk at once: beyond it appends are refused, not queued without end. */
  pendingEntries: 100_000,
  batchEntries: 512,
  batchBytes: mebibyte,
  /** Read at once when a log is walked through. */
  chunkBytes: mebibyte,
  /** What others wrote is read in pieces of this size while the lock is free. */
  catchUpBytes: mebibyte,
  /** So much is read under the lock. */
  littleBytes: 64 * kibibyte,
  noteBytes: 64 * kibibyte,
  /** Of the newest notes, when only the last one matters. */
  noteGlanceBytes: 4 * kibibyte,
  noteSignatures: 16,
  checkpointsBytes: 256 * mebibyte,
  keysBytes: mebibyte,
  hintBytes: 64 * kibibyte,
  copyMs: 5 * secondMs,
  /** Copies under way at once; what comes while that many are is told to `onProblem`. */
  copiesUnderWay: 16,
  problems: 20,
  ranges: 1000,
  overlapMs: 90 * 24 * 60 * minuteMs,
  followPollMs: 200,
} as const;
