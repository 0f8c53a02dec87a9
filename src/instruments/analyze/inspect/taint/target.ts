import type { SkippedFile } from './contract.ts';
import type { Program } from './engine/program.ts';

/** A place where a handler is handed over, and the functions and classes around it, outermost first. */
export interface Site {
  readonly callAt: number;
  readonly around: readonly { readonly kind: 'function' | 'class'; readonly at: number }[];
}

/** The code of a target in one language, as the analysis goes through it. */
export interface Target extends Program {
  /** The index of a file, or undefined when it cannot be had. */
  load(path: string): number | undefined;
  pathOf(index: number): string;
  /** By the look of the text; only modules for which it holds are walked for their own sake. */
  mayRegister(index: number): boolean;
  sitesOf(index: number): readonly Site[];
  /** Files whose text was parsed. */
  readonly analysed: readonly string[];
  readonly skipped: readonly SkippedFile[];
}
