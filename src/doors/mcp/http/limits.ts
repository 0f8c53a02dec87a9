import { kibibyte, mebibyte, minuteMs, secondMs } from '../../../base/limits.ts';

/** How much of anything, in all and for one client. One client alone never reaches what there is in all. */

export interface Share {
  readonly inAll: number;
  readonly each: number;
}

export interface HttpLimits {
  readonly bodyBytes: number;
  readonly headerBytes: number;
  readonly headerCount: number;
  readonly connections: Share;
  /** Requests under way; a stream that a session listens on is counted with its session. */
  readonly requests: Share;
  readonly sessions: Share;
  /** Bytes of bodies that are being received. */
  readonly bodies: Share;
  /** Requests of one client per second, and how many at once after a pause. */
  readonly rate: { readonly perSecond: number; readonly burst: number };
  /** The same for requests without the right token. Those with it are not counted here. */
  readonly failureRate: { readonly perSecond: number; readonly burst: number };
  readonly sessionIdleMs: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** How long a client may leave what was sent to it unread. */
  readonly stalledMs: number;
  /** From the wish to end to the end. */
  readonly shutdownMs: number;
}

export const usualHttpLimits: HttpLimits = {
  bodyBytes: 1 * mebibyte,
  headerBytes: 16 * kibibyte,
  headerCount: 64,
  connections: { inAll: 2048, each: 768 },
  requests: { inAll: 1024, each: 256 },
  sessions: { inAll: 1024, each: 256 },
  bodies: { inAll: 64 * mebibyte, each: 32 * mebibyte },
  rate: { perSecond: 2000, burst: 10_000 },
  failureRate: { perSecond: 5, burst: 20 },
  sessionIdleMs: 30 * minuteMs,
  headersMs: 10 * secondMs,
  requestMs: 30 * secondMs,
  keepAliveMs: 15 * secondMs,
  stalledMs: 30 * secondMs,
  shutdownMs: 2500,
};
