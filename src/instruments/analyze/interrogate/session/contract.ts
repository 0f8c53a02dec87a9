import type { CallResult, Conversation, ListedTool } from '../../../../targets/conversation/contract.ts';
import type { HonestInput, Knowledge, World } from '../arguments/index.ts';
import type { Proposal } from '../model/contract.ts';
import type { BudgetName, NotTried, Trial, TrialBudget, Verdict } from '../trials/index.ts';

/** One server, asked honestly and then with trials. */

export interface SessionOptions {
  readonly budget: BudgetName;
  /** Where they are not those of the budget. */
  readonly limits?: Partial<TrialBudget>;
  readonly mostHonest?: number;
  readonly seed: string;
  readonly knowledge: Knowledge;
  /** The server was given the planted root as its boundary. */
  readonly isConfined?: boolean;
  /** What inspection thinks likely, by tool. */
  readonly likely?: readonly { readonly tool: string; readonly class: string; readonly parameter?: string }[];
  /** What a language model proposes, where one was asked. */
  readonly proposals?: readonly Proposal[];
  /** Moments of `performance.now()` after which no new honest call, and no new trial, is made. */
  readonly useUntilMs: number;
  readonly attackUntilMs: number;
  /** Only this trial. */
  readonly only?: string;
  readonly signal: AbortSignal;
  /** A server that went away is started again, a few times. Null: it cannot be. */
  readonly reopen: () => Promise<Conversation | null>;
  /** After the very first call. */
  readonly onFirstCall?: () => Promise<void>;
  readonly onTool?: (name: string, number: number, of: number) => void;
  readonly onTrials?: (made: number, planned: number) => void;
  readonly onVerdict?: (verdict: Verdict) => void;
}

/** What honest calls have taught about the ground that a tool stands on. */
export interface Ground {
  readonly worldOf: (tool: string) => World;
  readonly likely: SessionOptions['likely'];
  readonly isConfined?: boolean;
}

export interface HonestCall {
  readonly input: HonestInput;
  readonly result: CallResult;
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

export interface ToolSession {
  readonly tool: ListedTool;
  readonly honest: readonly HonestCall[];
}

/** One trial as it was made. */
export interface MadeTrial {
  readonly trial: Trial;
  readonly input: unknown;
  readonly result: CallResult;
  readonly followUp?: CallResult;
  readonly baselineMs?: number;
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** A verdict with the call that brought it about. */
export interface ProvenTrial {
  readonly verdict: Verdict;
  readonly made: MadeTrial;
  /** It came about again when the same was tried once more, alone. */
  readonly isConfirmed: boolean;
}

export interface Crash {
  /** What was asked when the server went away. */
  readonly tool: string;
  readonly during: 'honest' | 'trial';
  /** How many calls it had had by then. */
  readonly callNumber: number;
  readonly trial?: string;
}

export interface Attack {
  readonly proven: readonly ProvenTrial[];
  readonly made: readonly MadeTrial[];
  readonly notTried: readonly NotTried[];
}

export interface Interrogation extends Attack {
  readonly tools: readonly ToolSession[];
  readonly crashes: readonly Crash[];
}
