import { kibibyte, mebibyte, minuteMs, secondMs } from '../../../base/limits.ts';

/** How much of anything at once. */
export interface FrontLimits {
  /** One body, one answer, one event. */
  readonly messageBytes: number;
  readonly headerBytes: number;
  readonly headerCount: number;
  readonly connections: number;
  /** Requests and streams under way; each is a connection into the box. */
  readonly exchanges: number;
  readonly sessions: number;
  /** Until all headers, and all of a body, have come. */
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly keepAliveMs: number;
  /** Until the server begins to answer. Calls may take long. */
  readonly answerMs: number;
  /** How long a client may leave unread what was sent to it. */
  readonly stalledMs: number;
  readonly closeMs: number;
}

export const usualFrontLimits: FrontLimits = {
  messageBytes: 16 * mebibyte,
  headerBytes: 16 * kibibyte,
  headerCount: 64,
  connections: 128,
  exchanges: 64,
  sessions: 256,
  headersMs: 10 * secondMs,
  bodyMs: 30 * secondMs,
  keepAliveMs: 15 * secondMs,
  answerMs: 60 * minuteMs,
  stalledMs: 30 * secondMs,
  closeMs: 2 * secondMs,
};
