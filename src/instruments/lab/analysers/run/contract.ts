import type { Analyser, AnalyserRun, Depth, Kind } from '../../contract.ts';

/** What the pool is asked, what it answers, and what passes between it and its threads. */

/** An analyser without its code, which is loaded in threads only. */
export type AnalyserEntry = Omit<Analyser, 'analyse'>;

export interface RunProgress {
  readonly analyser: string;
  readonly status: AnalyserRun['status'];
  readonly done: number;
  readonly total: number;
}

export interface RunOrder {
  readonly bytes: Uint8Array;
  /** The base name: untrusted. */
  readonly name: string;
  /** Found from the bytes when it is not given. */
  readonly kind?: Kind;
  readonly depth: Depth;
  readonly passwords?: readonly string[];
  readonly rulesFolders?: readonly string[];
  /** Ids of analysers: nothing else is run. */
  readonly only?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface Skipped {
  readonly analyser: string;
  readonly because: string;
}

export interface RunOutcome {
  readonly kind: Kind;
  /** In the order of the list of analysers, however they ended. */
  readonly runs: readonly AnalyserRun[];
  readonly skipped: readonly Skipped[];
}

/** The bytes lie in shared memory, so that a sample is there once for all threads. */
export interface SampleMessage {
  readonly shared: SharedArrayBuffer;
  readonly kind: Kind;
  readonly name: string;
  readonly depth: Depth;
  readonly passwords: readonly string[];
  readonly rulesFolders: readonly string[];
}

export interface TaskMessage {
  readonly task: number;
  readonly analyser: string;
  readonly sample: SampleMessage;
}

export type ThreadMessage =
  | { readonly type: 'ready'; readonly entries: readonly AnalyserEntry[] }
  | { readonly type: 'ended'; readonly task: number; readonly run: AnalyserRun };
