import { mebibyte, secondMs } from '../../base/limits.ts';

export const storeLimits = {
  /** Of a key, in UTF-8. */
  mostKeyBytes: 512,
  /** Of a document as JSON, in UTF-8. */
  mostDocumentBytes: 2 * mebibyte,
  /** How long somebody else may keep the file locked. */
  busyMs: 5 * secondMs,
} as const;
