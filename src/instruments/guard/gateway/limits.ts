import { kibibyte, mebibyte, minuteMs, secondMs } from '../../../base/limits.ts';

/** How much of each side is taken, and how long is waited. */
export interface GatewayLimits {
  readonly servers: number;
  /** One message, in either direction. */
  readonly frameBytes: number;
  /** For all servers together to be there when the client says hello; who is late is announced later. */
  readonly startMs: number;
  /** For one server to be there at all. */
  readonly handshakeMs: number;
  /** For an answer to the newer hello, before the older one is tried. */
  readonly discoverMs: number;
  /** For one server's answer to a list. */
  readonly listMs: number;
  /** For an answer to anything else; a call may take long, and the client can cancel it. */
  readonly requestMs: number;
  /** For the client's answer to a server's request. */
  readonly clientMs: number;
  readonly pages: number;
  /** Entries of one list of one server. */
  readonly entries: number;
  /** Bytes of one list of one server. */
  readonly listBytes: number;
  /** Of a merged list, what goes into one answer. */
  readonly pageBytes: number;
  readonly pageEntries: number;
  /** Lists that are kept for clients that are in the middle of reading them. */
  readonly snapshots: number;
  /** Requests of the client that are under way, in all. */
  readonly clientRequests: number;
  /** Requests of one server that the client has not answered. */
  readonly serverRequests: number;
  /** Messages that one server may send unasked: so many at once, and so many per second. */
  readonly noticeBurst: number;
  readonly noticesPerSecond: number;
  /** The same for what goes nowhere; a server that is beyond it floods, and is left. */
  readonly noiseBurst: number;
  readonly noisePerSecond: number;
  /** Bytes that wait for a server that does not read. */
  readonly unreadBytes: number;
  readonly instructionsCharacters: number;
  readonly subscriptions: number;
  /** How often one call may ask the client for more. */
  readonly inputRounds: number;
  readonly closeMs: number;
}

export const gatewayLimits: GatewayLimits = {
  servers: 64,
  frameBytes: 10 * mebibyte,
  startMs: 20 * secondMs,
  handshakeMs: 2 * minuteMs,
  discoverMs: 5 * secondMs,
  listMs: 10 * secondMs,
  requestMs: 60 * minuteMs,
  clientMs: 10 * minuteMs,
  pages: 50,
  entries: 2000,
  listBytes: 4 * mebibyte,
  pageBytes: 4 * mebibyte,
  pageEntries: 1000,
  snapshots: 4,
  clientRequests: 1000,
  serverRequests: 32,
  noticeBurst: 200,
  noticesPerSecond: 50,
  noiseBurst: 20_000,
  noisePerSecond: 200,
  unreadBytes: 16 * mebibyte,
  instructionsCharacters: 16 * kibibyte,
  subscriptions: 64,
  inputRounds: 8,
  closeMs: 5 * secondMs,
};
