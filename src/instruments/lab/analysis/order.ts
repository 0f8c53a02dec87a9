import type { Depth } from '../contract.ts';

/** What is asked of an analysis. */
export interface AnalyseOrder {
  readonly file: string;
  readonly depth: Depth;
  /** A lower limit for each external tool than the catalogue's; null: the catalogue's. */
  readonly toolTimeoutMs: number | null;
  readonly passwords: readonly string[];
  readonly isDetonated: boolean;
  readonly detonationSeconds: number;
  /** True: not taken from what is kept. */
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
  readonly progress?: (phase: string, share?: number) => void;
}
