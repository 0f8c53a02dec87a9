import type { Phase } from '../../../base/event-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import type { Report } from '../../../base/report-schema.ts';
import type { CreateBoxOptions } from '../../../engine/box/index.ts';
import type { Model } from '../interrogate/model/contract.ts';
import type { Prop } from '../interrogate/start/contract.ts';
import type { BudgetName } from '../interrogate/trials/index.ts';
import type { ScanContext } from '../scan/index.ts';

/** One analysis of one target: what is wanted, what is told on the way, and what comes out. */

/** Parts of a run in the order in which they happen. */
export type Stage = 'inspect' | 'fetch' | 'box' | Phase | 'judge';

export type Progress =
  | { readonly kind: 'stage'; readonly stage: Stage }
  | { readonly kind: 'tool'; readonly name: string; readonly number: number; readonly of: number }
  | { readonly kind: 'trials'; readonly made: number; readonly planned: number }
  | { readonly kind: 'finding'; readonly finding: Finding }
  | { readonly kind: 'note'; readonly text: string };

/** Only this again, for `hotcell replay`. */
export type Focus =
  | { readonly kind: 'trial'; readonly trial: string }
  | { readonly kind: 'phase'; readonly phase: Phase; readonly variant: string };

export interface AnalyzeWishes {
  readonly budget: BudgetName;
  /** Ends the trials after this long, whatever the budget has left. */
  readonly mostMs: number;
  /** How long a server that does nothing is watched. */
  readonly patienceMs: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly props: readonly Prop[];
  /** For a remote server: sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether tools of a remote server may be called: those that look as if they only read, or all. Default: none. */
  readonly remoteCalls?: 'none' | 'reading' | 'all';
  /** Limits of the box, where they are not the usual ones. */
  readonly memoryBytes?: number;
  readonly cpuCores?: number;
  /** False: the box has no network at all, and what it would have sent stays unknown. */
  readonly hasNetwork: boolean;
  /** Calls with honest arguments per tool, and trials per parameter, where they are not the budget's. */
  readonly honestCalls?: number;
  readonly trialsPerPosition?: number;
  readonly model: Model | null;
  readonly focus?: Focus;
  /** The same seed makes the same trials. */
  readonly seed: string;
}

export interface AnalyzeContext {
  readonly scan: ScanContext;
  readonly wishes: AnalyzeWishes;
  readonly box: Pick<CreateBoxOptions, 'backend' | 'runtimeFolder' | 'dockerSocket'>;
  /** Folder of the run; made when it is not there, and empty. */
  readonly folder: string;
  /** Where what a server offered the last time is remembered; null to compare with nothing. */
  readonly pinFolder: string | null;
  /** Ends the run early; what is known by then is told, marked incomplete. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export interface Analysed {
  /** With exactly one subject. */
  readonly report: Report;
  readonly bom: object | null;
  readonly folder: string;
}
