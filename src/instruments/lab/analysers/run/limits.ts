import { mebibyte } from '../../../../base/limits.ts';

/** What a run may cost, and what of a result is passed on. */

export const mostThreads = 4;
export const threadMegabytes = 768;
export const graceMs = 1500;
export const startTimeoutMs = 30_000;

export const mostChildren = 256;
export const mostChildBytes = 64 * mebibyte;
export const mostTexts = 2000;
export const mostTextCharacters = 16 * mebibyte;
export const mostFindings = 500;
export const mostEvidence = 10;
export const mostExcerptCharacters = 400;
export const mostNotes = 100;
