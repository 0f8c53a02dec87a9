import type { Authority } from '../certificates/authority.ts';

/** What the bridge says about a request, and what it is told. Every text in a request comes out of the box. */

export interface RequestAuthority {
  readonly host: string;
  /** Always the one of the connection: a request that names another is refused. */
  readonly port: number;
}

export interface BridgedRequest {
  /** As it was sent; the judge is asked again for each that a header or the query would turn it into. */
  readonly method: string;
  /** As it was sent: origin-form, absolute-form, or `*`. */
  readonly target: string;
  /**
   * Every reading of the path that a usual server could have, without query: a rule about paths has to hold for all of
   * them. Bytes as characters. `noPath` among them means that there are more readings than were made.
   */
  readonly paths: readonly string[];
  /** What the request is for, as its Host says: lower case, an address in one spelling and without brackets. */
  readonly authority: RequestAuthority;
  readonly isTls: boolean;
  /** The name in the TLS hello. A request for another host is refused. */
  readonly serverName: string | null;
  /** Of the connection, as the gate let it through. */
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

export type RequestOutcome = { readonly is: 'allowed' } | { readonly is: 'refused'; readonly because: string };

export interface InjectedHeader {
  readonly header: string;
  readonly value: string;
}

export interface BridgeCaps {
  /** Of one request, and of the trailers of one. */
  readonly headBytes: number;
  readonly targetBytes: number;
  readonly headers: number;
  /** For each of the two TLS handshakes. */
  readonly handshakeMs: number;
  /** Null: as the gate has it. */
  readonly idleMs: number | null;
}

export const defaultBridgeCaps: BridgeCaps = {
  headBytes: 64 * 1024,
  targetBytes: 32 * 1024,
  headers: 256,
  handshakeMs: 15_000,
  idleMs: null,
};

export interface HttpBridgeOptions {
  /** Makes the certificates that the box is shown. */
  readonly authority: Authority;
  /** A reason refuses, and breaks the connection off. */
  readonly judge: (request: BridgedRequest) => string | null;
  /** A reason refuses a TLS hello for this name, before the target hears of it. Default: any is fine at a bare address. */
  readonly judgeName?: (serverName: string) => string | null;
  /** Awaited before each request is forwarded. The signal says that the connection is over, and nobody waits any more. */
  readonly pace: (signal: AbortSignal) => Promise<void>;
  /** Before a request is forwarded or refused by the judge. What it throws breaks the connection off. */
  readonly onRequest?: (request: BridgedRequest, outcome: RequestOutcome) => void;
  /** Put into each request in the place of the box's own headers of that name. */
  readonly inject?: InjectedHeader | null;
  readonly caps?: Partial<BridgeCaps>;
}
