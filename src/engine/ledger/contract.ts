import type { JsonObject } from '../../base/json-shape.ts';

/**
 * The ledger: one line of canonical JSON per decision, hashed into an RFC 6962 tree, with signed checkpoints beside it.
 *
 *     ledger/
 *       lock                              one writer at a time, whatever process it is in
 *       entries-000000000000.ndjson       a segment, named by the sequence number of its first entry
 *       entries-000000041822.ndjson
 *       checkpoints                       C2SP signed notes, one after the other
 *       keys/                             signing keys (0600), public keys, and the notes that hand over from one to the next
 */

export const instruments = ['analyze', 'guard', 'lab', 'probe', 'hotcell'] as const;

/** What was decided. `noted` is for facts that nobody had to decide on. */
export const ledgerVerdicts = ['allowed', 'refused', 'changed', 'noted'] as const;
export type LedgerVerdict = (typeof ledgerVerdicts)[number];

/** What a caller hands over. Secrets are in it only as `Ledger.hashSecret` gives them. */
export interface LedgerEntry {
  readonly instrument: (typeof instruments)[number];
  /** What happened, in two words with a dot: `server.start`, `tool.call`, `egress.refuse`. */
  readonly action: string;
  readonly verdict: LedgerVerdict;
  /** One run of one program. */
  readonly session: string;
  /** Which server, sample or target it is about. */
  readonly server?: string;
  /** Fingerprint of the policy in force. */
  readonly policy?: string;
  /** Which rule decided. */
  readonly rule?: string;
  /** Bounded by the ledger: what is too long is cut, and says so. */
  readonly details?: JsonObject;
}

/** What stands in the log. */
export interface StoredEntry extends LedgerEntry {
  readonly sequence: number;
  readonly at: { readonly wall: string; readonly monotonicNs: string };
  /** Leaf hash of the entry before it, hexadecimal; of the first one, zeros. */
  readonly previous: string;
}

export interface Appended {
  readonly sequence: number;
  /** SHA-256 of 0x00 and the line, hexadecimal. */
  readonly leaf: string;
}

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  /** Hexadecimal. */
  readonly root: string;
  /** The whole signed note, as it stands in the file. */
  readonly note: string;
}

/** What instruments are given: they write, and never see files or keys. */
export interface LedgerWriter {
  /** Resolves when the entry is on the disk. Rejects with a HostError; then nothing may go on that it should have told about. */
  append(entry: LedgerEntry): Promise<Appended>;
  /** The same secret has the same hash in this ledger, and nobody without the ledger's key can test a guess. */
  hashSecret(secret: string | Uint8Array): string;
}
