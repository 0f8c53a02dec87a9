import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from '../../../base/json-shape.ts';
import type { Direction, GuardRecorder, Message, MessageRule, RuleContext, RuleHit } from '../contract.ts';
import type { RelayLimits } from './limits.ts';

/** What the relay is given, and what it gives back. */

/** One neighbour: what it says is read from `input`, what it is told is written to `output`. */
export interface RelaySide {
  readonly input: Readable;
  readonly output: Writable;
}

/** What became of a message because of a hit. In `audit` and `learn` it is always `noted`. */
export type HitOutcome = 'refused' | 'changed' | 'noted';

export interface GateOptions {
  readonly rules: readonly MessageRule[];
  readonly context: RuleContext;
  readonly recorder: GuardRecorder;
  /** Fingerprint of the policy in force, for the ledger. */
  readonly policy?: string;
  /** More details for the ledger about a request that is recorded. Never a secret, never text of a server. */
  readonly describe?: (message: Message) => JsonObject;
  readonly limits?: Partial<RelayLimits>;
  /** `message` is null where the line was no message. */
  readonly onHit?: (hit: RuleHit, outcome: HitOutcome, message: Message | null, direction: Direction) => void;
}

export interface RelayOptions extends GateOptions {
  readonly client: RelaySide;
  readonly server: RelaySide;
}

/** Of one direction. */
export interface DirectionCounts {
  /** That went on. */
  readonly messages: number;
  readonly bytes: number;
  /** Lines that were no message. */
  readonly noise: number;
  readonly changed: number;
  /** Answered or replaced by an error. */
  readonly refused: number;
  /** Taken out without an answer: notifications, and answers that nobody waits for. */
  readonly dropped: number;
}

export interface RelayEnd {
  readonly reason: 'client-ended' | 'server-ended' | 'closed' | 'failed';
  readonly problem: string | null;
  readonly counts: Readonly<Record<Direction, DirectionCounts>>;
}
