import type { Policy } from '../../../base/policy-schema.ts';
import type { LedgerWriter } from '../../../engine/ledger/contract.ts';
import type { PreparedServer } from '../contract.ts';
import type { PrepareOptions } from '../launch/index.ts';
import type { Attack } from './read-attacks.ts';

/** Known attacks are fired again at the very releases that they were known for: with and without a policy. */

/** Which policy the attack has to get past. */
export type ReplayPolicy =
  | { readonly is: 'none' }
  /** Learnt from the honest task first. */
  | { readonly is: 'learnt' }
  | { readonly is: 'given'; readonly policy: Policy };

export interface ReplayOptions {
  readonly policy: ReplayPolicy;
  /** Where servers are kept, and how they are fetched and installed; the box is the one that they are replayed in as well. */
  readonly prepare: Omit<PrepareOptions, 'signal' | 'onProgress'>;
  /** Of this replay alone: what the sensors have seen is kept there. */
  readonly folder: string;
  readonly ledger: LedgerWriter;
  readonly session: string;
  /** For one attack with all its runs. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (what: string) => void;
  /** Default: `prepareServer` of the launch commands. */
  readonly prepareServer?: (argv: readonly string[], options: PrepareOptions) => Promise<PreparedServer>;
}

/** What one run of one release has shown. */
export interface RunReport {
  readonly version: string;
  readonly backend: string;
  /** Whether the honest task was done; where it was not, why. */
  readonly honest: { readonly works: boolean; readonly problem: string | null };
  readonly isHit: boolean;
  /** What the server said to the attack, safe to show. */
  readonly answer: string;
  readonly durationMs: number;
}

/** One line of a policy, by its place. */
export interface PolicyLine {
  /** Counted from 1: files, then network, then tools. */
  readonly number: number;
  /** `files[3]`, `network.rules[0]`, `network.mode`. */
  readonly path: string;
  readonly text: string;
}

export interface Stopped {
  /** What the attack wanted, in words: `to read /…/secret.txt`. */
  readonly wanted: string;
  /** The line that stands in the way; null where no line allows it, which is the rule. */
  readonly line: PolicyLine | null;
  /** Lines that come nearest to allowing it. */
  readonly nearest: readonly PolicyLine[];
  readonly says: string;
}

export interface SeenStop extends Stopped {
  /** A sensor saw the server reach for it; false where it failed before, or nobody watched. */
  readonly wasTried: boolean;
}

export type ReplayVerdict =
  /** Without a policy: the proof succeeded. With one: it still does. */
  'vulnerable' | 'blocked' | 'not-reproducible';

export interface Replay {
  readonly attack: Attack;
  readonly verdict: ReplayVerdict;
  /** One sentence. */
  readonly says: string;
  readonly vulnerable: RunReport | null;
  /** Null where there is no fixed release. */
  readonly fixed: RunReport | null;
  readonly guarded: RunReport | null;
  readonly stopped: SeenStop | null;
  /** The policy that was in force, with its fingerprint. */
  readonly policy: { readonly policy: Policy; readonly fingerprint: string } | null;
  readonly notes: readonly string[];
  readonly durationMs: number;
}
