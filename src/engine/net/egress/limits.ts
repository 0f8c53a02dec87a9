/** What a box may use of the egress gate. */

export interface EgressLimits {
  /** Open at the same time; what comes on top is refused. */
  readonly connections: number;
  readonly resolveMs: number;
  /** For one address; a name with several has it for each. */
  readonly connectMs: number;
  /** Handshakes that are held at the same time while their targets are tried; what comes on top is dropped. */
  readonly heldHandshakes: number;
  /** For everything that a held handshake waits for, the pace included; then it is dropped. */
  readonly heldMs: number;
  /** A connection that carries nothing in either direction for so long is cut. */
  readonly idleMs: number;
  /** Bytes of one connection, both directions together. */
  readonly connectionBytes: number;
  /** Bytes kept of what the box says first. */
  readonly keptBytes: number;
}

export const defaultEgressLimits: EgressLimits = {
  connections: 512,
  resolveMs: 10_000,
  connectMs: 15_000,
  heldHandshakes: 4096,
  heldMs: 60_000,
  idleMs: 300_000,
  connectionBytes: Number.POSITIVE_INFINITY,
  keptBytes: 64 * 1024,
};
