import type { LedgerWriter } from '../../../engine/ledger/contract.ts';

/** Rewriting the files in which clients list their servers, so that each server starts behind the guard. */

/** A place in a text, and what is to stand there. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

export type Keys = readonly (string | number)[];

/** How each server is to be started. */
export interface WrapOptions {
  /** The program that guards: an absolute path. */
  readonly program: string;
  /** A tier, or the absolute path of a policy. */
  readonly policy?: string;
  readonly mode?: string;
  /** Settings of Hotcell itself, as flags: `--backend`, `landlock`. */
  readonly settings?: readonly string[];
  /** Folders and files that servers which name them, or something below them, may change. */
  readonly writable?: readonly string[];
  /** Only these; all when absent. */
  readonly servers?: readonly string[];
  /** Asks whether a path is there. */
  exists(path: string): boolean;
}

export type ServerChange =
  /** It starts through the guard from now on. */
  | { readonly is: 'wrapped'; readonly reads: readonly string[]; readonly writes: readonly string[] }
  | { readonly is: 'unwrapped' }
  /** Nothing to do. */
  | { readonly is: 'guarded' }
  /** Not covered, and why. */
  | { readonly is: 'left'; readonly why: string };

export interface ServerReport {
  readonly name: string;
  /** Keys from the root of the document. */
  readonly keys: readonly string[];
  readonly change: ServerChange;
  readonly remarks: readonly string[];
}

/** What would be done to one text. */
export type Rewritten =
  | { readonly is: 'changed'; readonly text: string; readonly servers: readonly ServerReport[] }
  | { readonly is: 'same'; readonly servers: readonly ServerReport[] }
  | { readonly is: 'refused'; readonly why: string; readonly servers: readonly ServerReport[] };

/** What would be done to one file. */
export interface FilePlan {
  readonly client: string;
  readonly path: string;
  readonly is: 'changed' | 'same' | 'refused';
  readonly why?: string;
  readonly servers: readonly ServerReport[];
  /** A unified difference, without secrets, safe to show. */
  readonly diff: string;
  /** Of undo: how the text came about. */
  readonly how?: 'restored' | 'unwrapped';
}

export interface ProtectOptions {
  /** Where backups are kept: below the folder `guard/backups` of it. */
  readonly home: string;
  readonly ledger: LedgerWriter;
  readonly session: string;
}
