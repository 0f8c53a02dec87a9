import { mebibyte, secondMs } from '../../../base/limits.ts';

/** How much of what passes is held at once. Beyond it something is refused or somebody waits; nothing grows. */
export interface RelayLimits {
  /** One message; a longer one is refused, and reading goes on with the next line. */
  readonly messageBytes: number;
  /** Containers within containers. */
  readonly depth: number;
  /** Members of one batch. */
  readonly batchMembers: number;
  /** Requests of one side that wait for an answer. */
  readonly openRequests: number;
  /** Messages, and bytes of them, that wait to be written to one side before the other is not read any more. */
  readonly queuedMessages: number;
  readonly queuedBytes: number;
  /** How long a server may stay silent after its client has ended, before that is the end for it too. */
  readonly lingerMs: number;
}

export const defaultRelayLimits: RelayLimits = {
  messageBytes: 64 * mebibyte,
  depth: 512,
  batchMembers: 1000,
  openRequests: 4096,
  queuedMessages: 256,
  queuedBytes: 4 * mebibyte,
  lingerMs: 10 * secondMs,
};

/** A client that counts to the last exact integer, or names its requests by a few words: more is no id. */
export const longestId = 1024;
export const longestMethod = 256;
