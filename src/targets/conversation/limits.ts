import { kibibyte, mebibyte } from '../../base/limits.ts';

/** How much of a server's talk is taken, before it is cut and counted. */
export interface ConversationLimits {
  /** One message; a longer one is cut and is no answer. */
  readonly frameBytes: number;
  /** Everything that comes between one request and the next; beyond it the server is not read until it is asked again. */
  readonly turnBytes: number;
  /** The same in messages: many small ones cost more than their bytes. */
  readonly turnFrames: number;
  /** All text of one answer that is kept. */
  readonly textBytes: number;
  /** Of what nobody asked for, per message. */
  readonly noticeBytes: number;
  /** Messages that nobody asked for and that are handed on, per conversation. */
  readonly notices: number;
  /** Requests of the server that are answered, per conversation. */
  readonly repliesToServer: number;
  /** Bytes that wait for a server that does not read; beyond it, its own requests stay unanswered. */
  readonly unreadBytes: number;
  /** Elements of a batch, and messages in one line. */
  readonly messagesPerFrame: number;
  readonly pages: number;
  readonly entries: number;
  readonly listingBytes: number;
  readonly problems: number;
  /** How often one call may ask for more input. */
  readonly inputRounds: number;
  /** Silence after which a line without an end is taken for whole. */
  readonly settleMs: number;
  /** For the older form over HTTP to say where messages go. */
  readonly endpointMs: number;
  /** For the polite end. */
  readonly closeMs: number;
}

export const defaultLimits: ConversationLimits = {
  frameBytes: 10 * mebibyte,
  turnBytes: 256 * mebibyte,
  turnFrames: 10_000,
  textBytes: mebibyte,
  noticeBytes: 4 * kibibyte,
  notices: 5000,
  repliesToServer: 1000,
  unreadBytes: mebibyte,
  messagesPerFrame: 1000,
  pages: 50,
  entries: 5000,
  listingBytes: 16 * mebibyte,
  problems: 200,
  inputRounds: 8,
  settleMs: 250,
  endpointMs: 5000,
  closeMs: 1000,
};

export const defaultTimeoutMs = 30_000;
