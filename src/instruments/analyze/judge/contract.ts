import type { Proof } from '../../../base/analysis-schema.ts';
import type { Event } from '../../../base/event-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import type { CallResult, Handshake, Listing } from '../../../targets/conversation/contract.ts';
import type { PeerCounts } from '../../../targets/conversation/index.ts';
import type { Verdict } from '../interrogate/trials/index.ts';

/** What judging is given of a run, and what it gives back. Records of the session fit as they are. */

/** A trial that proved something, with the call that did. */
export interface ProvenCall {
  readonly verdict: Verdict;
  readonly made: { readonly input: unknown };
  /** Default: true. */
  readonly isConfirmed?: boolean;
}

export interface ChainFacts {
  /** Name of the target, for people. */
  readonly target: string;
  /** Those that verdicts name, by their position in the log. */
  readonly events: ReadonlyMap<number, Event>;
}

/** Which tool and class a finding of trials is about. */
export interface Shown {
  readonly finding: string;
  readonly tool: string;
  readonly class: string;
  readonly isByDesign: boolean;
  /** How well it was shown, whether it is a weakness or an ability. */
  readonly evidenceClass: Verdict['evidenceClass'];
  /** Positions that showed it, as JSON pointers. */
  readonly pointers: readonly string[];
}

export interface TrialFindings {
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
  readonly shown: readonly Shown[];
}

/** One answer of the server to something that was honestly asked. */
export interface HonestAnswer {
  readonly kind: 'tool' | 'resource' | 'prompt';
  /** Name of the tool or prompt, address of the resource. */
  readonly name: string;
  /** Which of all calls it was, from 1. */
  readonly callNumber: number;
  readonly result: Pick<CallResult, 'outcome' | 'text' | 'durationMs'>;
}

/** A server that went away during a call. */
export interface CrashedCall {
  readonly tool: string;
  readonly during: 'honest' | 'trial';
  readonly callNumber: number;
  readonly trial?: string;
}

/** What the messages of a run show; see `gatherMessageFaults`. */
export interface MessageFaults {
  /** From the target, that look like messages and are no JSON. */
  readonly broken: readonly Event[];
  readonly brokenCount: number;
  /** Longer than anybody needs. */
  readonly large: readonly Event[];
  /** The most that came during one call or between two, and the first of them. */
  readonly flood: { readonly count: number; readonly bytes: number; readonly first: Event } | null;
}

export interface ProtocolRecord {
  /** Null where it agreed on nothing; `failure` says why, in words of ours. */
  readonly handshake: Pick<Handshake, 'problems'> | null;
  readonly failure?: string;
  readonly listing: Pick<Listing, 'problems'> | null;
  readonly counts: Pick<PeerCounts, 'cutFrames' | 'cutBytes' | 'floods' | 'noise' | 'notifications' | 'unreported'>;
  readonly answers: readonly HonestAnswer[];
  readonly crashes: readonly CrashedCall[];
  readonly faults: MessageFaults;
}
