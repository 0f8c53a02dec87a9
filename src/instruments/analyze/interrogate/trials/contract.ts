import type { Event, UntrustedJson } from '../../../../base/event-schema.ts';
import type { Evidence, EvidenceClass } from '../../../../base/finding-schema.ts';
import type { CallResult } from '../../../../targets/conversation/contract.ts';
import type { Position } from '../arguments/index.ts';

/**
 * A trial: one call with one value that should do no harm, and what the world shows if it did. Oracles look at events,
 * files and planted tokens. What the answer says about the payload is never one of them.
 */

export type Oracle =
  /** A program was started that only a shell, or a process gone astray, starts: with this argument, where there is one. */
  | { readonly kind: 'exec-marker'; readonly program: string; readonly argument?: string }
  /** Exactly this file came to be. */
  | { readonly kind: 'file-marker'; readonly path: string }
  /** The token of something planted is in the answer. The payload does not hold it. */
  | { readonly kind: 'canary-in-result'; readonly secret: string; readonly canary: string }
  | {
      readonly kind: 'request-to';
      /** Name or address that only the payload names. */
      readonly host?: string;
      readonly address?: 'loopback';
      readonly port?: number;
      /** Part of the path; for hosts that programs ask for by themselves. */
      readonly path?: string;
      /** Name of a header. */
      readonly header?: string;
      /** Asking for its address is enough. */
      readonly dns?: boolean;
    }
  /** One of these programs got the option as a word of its own, where options are read. */
  | { readonly kind: 'argv-option'; readonly option: string; readonly programs: readonly string[] }
  /** This path, or something below it, was opened. With `attempt`, trying is enough: nothing else knows the name. */
  | { readonly kind: 'open-outside'; readonly path: string; readonly attempt?: boolean }
  /** The product of two numbers of the payload is in the answer: the database, or an interpreter, multiplied them. */
  | { readonly kind: 'sql-altered' | 'computed'; readonly product: string }
  /** It took this many times as long as a harmless value of the same length. */
  | { readonly kind: 'timing'; readonly ratio: number; readonly leastMs: number }
  /** Nothing outside shows it. It is tried for what else it sets off, and is never a hit. */
  | { readonly kind: 'echo-never' };

export type OracleKind = Oracle['kind'];

export interface Trial {
  /** Class, payload, tool and position: the same again for the same seed. */
  readonly id: string;
  readonly class: string;
  /** Id of the payload within its class. */
  readonly payload: string;
  readonly tool: string;
  readonly position: Position;
  /** The value for the position. */
  readonly value: unknown;
  /** Called first, with the same position, where the time it takes is what counts. */
  readonly baseline?: unknown;
  /** Called afterwards, with the same position; its answer counts too. */
  readonly followUp?: unknown;
  /** One is enough. */
  readonly oracles: readonly Oracle[];
  readonly cwe: readonly string[];
  /** Switches of the tool that should be on, by words in their names; see `inputFor`. */
  readonly flags: readonly string[];
  /** What it shows is what the tool is for: a hit is an ability and no weakness. */
  readonly isByDesign: boolean;
  /** Id of a payload of its class that does the same openly. Only where that one fails is a hit of this one a way around. */
  readonly unlike?: string;
  /** How likely a hit is thought to be; trials are made in this order. */
  readonly score: number;
}

export interface Observed {
  /** Those of this call, and of its follow-up. */
  readonly events: readonly Event[];
  readonly result: CallResult;
  readonly followUp?: CallResult;
  /** Paths of files that were not there before the call. */
  readonly newFiles: readonly string[];
  /** How long the baseline took. */
  readonly baselineMs?: number;
  /** Answers to honest calls of the same tool: a token that they hold already proves nothing. */
  readonly honest?: readonly CallResult[];
}

/** What an oracle saw. */
export interface Proof {
  readonly evidenceClass: Extract<EvidenceClass, 'A' | 'B'>;
  /** Positions in the log. */
  readonly events: readonly number[];
  readonly excerpt: Evidence['excerpt'] | UntrustedJson;
  /** In words of ours. */
  readonly because: string;
}

export interface Verdict extends Proof {
  readonly trial: string;
  readonly class: string;
  readonly payload: string;
  readonly tool: string;
  readonly pointer: string;
  readonly oracle: OracleKind;
  readonly cwe: readonly string[];
  readonly isByDesign: boolean;
}
