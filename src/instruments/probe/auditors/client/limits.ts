import { kibibyte, mebibyte, secondMs } from '../../../../base/limits.ts';

/** What one audit may send and take, whatever the server does. */
export const clientLimits = {
  bodyBytes: mebibyte,
  headerBytes: 32 * kibibyte,
  headers: 256,
  requestMs: 10 * secondMs,
  /** A caller may ask for more time than usual, and for no more than this. */
  longestRequestMs: 60 * secondMs,
  requests: 2000,
  /** Of what is sent. */
  sentBytes: 4 * mebibyte,
  encodings: 3,
} as const;
