/** What the network of a box saw. Plain data: it crosses from the router process to its parent as JSON. */

export const netEventKinds = [
  'dns-query',
  'dns-answer',
  'http-request',
  'http-response',
  'tls-hello',
  'tls-failure',
  'quic-hello',
  'raw-bytes',
  'smtp',
  'connection-open',
  'connection-close',
  'limit-hit',
  'egress-allowed',
  'egress-refused',
  'egress-failed',
] as const;

export type NetEventKind = (typeof netEventKinds)[number];

/** Bytes of the box, kept up to a cap. */
export interface KeptBytes {
  readonly base64: string;
  readonly droppedBytes: number;
}

export interface PeerAddress {
  readonly address: string;
  readonly port: number;
}

/** Where the box wanted to go. */
export interface AskedAddress extends PeerAddress {
  /** The name that was asked for before; null when the address was used as it is. */
  readonly name: string | null;
}

export type EventField =
  | string
  | number
  | boolean
  | null
  | readonly EventField[]
  | { readonly [key: string]: EventField };

export interface NetEvent {
  /** Counts from 1 without gaps. */
  readonly sequence: number;
  readonly kind: NetEventKind;
  readonly at: {
    /** CLOCK_MONOTONIC in nanoseconds, as text because it does not fit a number. */
    readonly monotonicNs: string;
    readonly wallMs: number;
  };
  readonly transport: 'tcp' | 'udp';
  /** All events of one connection or one datagram share it. */
  readonly connection: number;
  readonly peer: PeerAddress;
  readonly asked: AskedAddress;
  /** True when the bytes are the clear text of a TLS connection. */
  readonly isInsideTls: boolean;
  readonly fields: Readonly<Record<string, EventField>>;
  readonly bytes?: KeptBytes;
}

export function keepBytes(bytes: Uint8Array, capBytes: number, alreadyDropped = 0): KeptBytes {
  const kept = bytes.subarray(0, capBytes);
  return {
    base64: Buffer.from(kept.buffer, kept.byteOffset, kept.length).toString('base64'),
    droppedBytes: alreadyDropped + bytes.length - kept.length,
  };
}

/** Collects a stream up to a cap and counts the rest. */
export class BoundedBytes {
  readonly #chunks: Buffer[] = [];
  readonly #capBytes: number;
  #kept = 0;
  seen = 0;

  constructor(capBytes: number) {
    this.#capBytes = capBytes;
  }

  add(chunk: Buffer): void {
    const part = chunk.subarray(0, Math.max(0, this.#capBytes - this.#kept));
    if (part.length > 0) this.#chunks.push(part);
    this.#kept += part.length;
    this.seen += chunk.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  kept(): KeptBytes {
    return keepBytes(this.bytes(), this.#capBytes, this.seen - this.#kept);
  }
}
