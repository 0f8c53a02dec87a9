import { kibibyte, mebibyte, minuteMs, secondMs } from '../../base/limits.ts';

export const defaultMaxOutputBytes = 10 * mebibyte;
/** Of a caller's wish: what is kept lies in memory. */
export const largestMaxOutputBytes = 256 * mebibyte;
/** A longer timer overflows and goes off at once. */
export const longestTimeoutMs = 86_400_000;

/** One argument of a program may have this much on Linux, and a command over ssh is one argument of the shell there. */
export const largestArgumentBytes = 128 * kibibyte - 1;
export const largestArgumentsBytes = mebibyte;

/** The command over the connection did not say that it had ended, though its group should be gone: then it is asked for again. */
export const endGraceMs = 2 * secondMs;
/** The place ends a command by itself this long after the time limit, should the connection have gone without a word. */
export const deadlineSlackMs = 15 * secondMs;

/** For what the connector runs for itself, such as stat. */
export const smallCommandMs = minuteMs;
/** Files: a fixed time, and one by size, at a rate that a slow line still has. */
export const fileBaseMs = minuteMs;
export const fileBytesPerMs = 100;

export const largestListingBytes = 64 * mebibyte;
