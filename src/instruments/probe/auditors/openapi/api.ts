import type { AuditAnswer, AuditRequest } from '../contract.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import type { Baseline } from './baseline.ts';
import type { Description, Operation } from './description.ts';
import type { OpenapiRule } from './rules.ts';

/** The live API next to its document: what every check is given. */

export type OpenapiInquiry = Inquiry<OpenapiRule>;

/** An operation and its answer to a request that fits the document. */
export interface Visited {
  readonly operation: Operation;
  readonly request: AuditRequest;
  readonly answer: AuditAnswer;
}

export interface Api {
  readonly inquiry: OpenapiInquiry;
  readonly description: Description;
  /** Without a slash at its end. */
  readonly base: string;
  readonly baseline: Baseline;
  /** Those that may be called: safe ones, and others only when that was asked for. */
  readonly operations: readonly Operation[];
  readonly mayWrite: boolean;
}

export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);
export const writingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
