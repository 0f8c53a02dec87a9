import type { Finding } from '../../../../base/finding-schema.ts';
import { mebibyte, secondMs } from '../../../../base/limits.ts';

/** What is analysed: the unpacked package. Nothing in it is ever loaded or run. */
export interface SourceTree {
  /** The folder with the unpacked package, absolute. */
  readonly root: string;
  /** Relative to the root, with forward slashes. */
  readonly files: readonly string[];
}

export const handlerKinds = ['tool', 'resource', 'prompt'] as const;
export type HandlerKind = (typeof handlerKinds)[number];

/** A function that a client reaches with arguments of its choice. */
export interface HandlerRecord {
  readonly kind: HandlerKind;
  /** Undefined for one function that serves every tool and does not compare names. */
  readonly name?: string;
  readonly path: string;
  readonly line: number;
  readonly parameters: readonly string[];
}

export const skipReasons = [
  'too-large',
  'unparsable',
  'unreadable',
  'over-budget',
  'not-reached',
  'declarations',
] as const;
export type SkipReason = (typeof skipReasons)[number];

export interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
}

export interface TaintResult {
  /** Class D: flows from an argument to a sink. */
  readonly findings: readonly Finding[];
  /** Class U: what could not be looked at, so that silence is never taken for an answer. */
  readonly notAnalysed: readonly Finding[];
  readonly handlers: readonly HandlerRecord[];
  readonly analysed: readonly string[];
  readonly skipped: readonly SkippedFile[];
}

export interface TaintLimits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly totalMs: number;
  /** Evaluated expressions per module's top, per handler and in all; they bound work whatever the code looks like. */
  readonly moduleSteps: number;
  readonly handlerSteps: number;
  readonly totalSteps: number;
  readonly callDepth: number;
}

export const defaultTaintLimits: TaintLimits = {
  fileBytes: 4 * mebibyte,
  totalBytes: 48 * mebibyte,
  totalMs: 45 * secondMs,
  moduleSteps: 1_500_000,
  handlerSteps: 400_000,
  totalSteps: 20_000_000,
  callDepth: 40,
};
