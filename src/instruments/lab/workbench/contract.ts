import type { ExecOptions, ExecResult } from '../../../engine/connector/contract.ts';
import { safeName } from '../samples/paths.ts';

/** A workbench is where tools run. Each piece of work gets a desk of its own with a private copy of the sample on it. */

export interface Confinement {
  readonly kind: 'box' | 'container' | 'remote' | 'none';
  /** For people and models, in every result: `a box of gvisor, without a network`. */
  readonly words: string;
}

export type Command = { readonly argv: readonly string[] } | { readonly shell: string };

export type RunOptions = Pick<ExecOptions, 'timeoutMs' | 'signal' | 'maxOutputBytes' | 'input' | 'onOutput'>;

export interface MadeFile {
  /** Below the desk's output or work folder: untrusted. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface Made {
  readonly files: readonly MadeFile[];
  /** What was left there because it was too much, and why. */
  readonly notes: readonly string[];
}

export interface Desk extends AsyncDisposable {
  readonly confinement: Confinement;
  /** The working folder of every command, as commands see it. */
  readonly folder: string;
  /** Where the private copies lie, in the order in which they were given. */
  readonly files: readonly string[];
  /** A folder that tools write into. */
  readonly output: string;
  run(command: Command, options: RunOptions): Promise<ExecResult>;
  /** What tools wrote; the copy of a sample only where it was changed. */
  made(signal?: AbortSignal): Promise<Made>;
  close(): Promise<void>;
}

export interface DeskSample {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Workbench {
  readonly confinement: Confinement;
  /** The programs of these that can be run there, each with what tells one version of its file from another. */
  available(programs: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, string>>;
  open(samples: readonly DeskSample[], signal?: AbortSignal): Promise<Desk>;
}

/** Names on a desk: safe ones, and no two the same. */
export function deskNames(samples: readonly DeskSample[]): readonly string[] {
  const taken = new Set(['output']);
  return samples.map(({ name }) => {
    const safe = safeName(name);
    let free = safe;
    for (let number = 2; taken.has(free); number += 1) free = `${number}-${safe}`;
    taken.add(free);
    return free;
  });
}

/** What one piece of work may leave behind in all. */
export const madeLimits = { files: 512, bytes: 128 * 1024 * 1024 } as const;
