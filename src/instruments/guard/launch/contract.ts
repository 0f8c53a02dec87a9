import { gibibyte, mebibyte } from '../../../base/limits.ts';
import type { BackendId } from '../../../engine/box/index.ts';
import type { FetchContext } from '../../../targets/ingest/fetch/contract.ts';
import type { PreparedServer } from '../contract.ts';

/** From the words that a client starts a server with to something that a box can start at once. */

export interface PrepareOptions {
  /** Hotcell's own folder: `guard/servers` and `guard/launches` are below it. */
  readonly home: string;
  /** The caller's folder, home folder, environment and cache. */
  readonly fetch: FetchContext;
  /** For install scripts, which run in a box. */
  readonly box: {
    readonly backend: BackendId | 'auto';
    readonly runtimeFolder: string;
    readonly dockerSocket?: string;
  };
  /** Resolves anew what a launch command stands for, and remembers that instead. */
  readonly refresh?: boolean;
  readonly onProgress?: (what: string) => void;
  readonly signal?: AbortSignal;
  /** Default: files in `guard/launches`. */
  readonly memory?: LaunchMemory;
  readonly limits?: Partial<LaunchLimits>;
}

export interface Prepared extends PreparedServer {
  /** Where it was installed; null where it is started from where it lies. */
  readonly folder: string | null;
  /** True when it was fetched and installed just now. */
  readonly isFresh: boolean;
  /** What `refresh` has changed; null where nothing was remembered, or nothing differs. */
  readonly change: LaunchChange | null;
}

export interface Pinned {
  readonly version: string | null;
  readonly integrity: string;
}

export interface LaunchChange {
  readonly from: Pinned;
  readonly to: Pinned;
}

/** What a launch command stood for when it was first resolved. */
export interface LaunchRecord extends Pinned {
  readonly format: 'hotcell-launch';
  /** Packages as asked for, such as `npm:name@latest`. */
  readonly asked: readonly string[];
  readonly subject: string;
  /** The name of the folder below `guard/servers`. */
  readonly digest: string;
  readonly date: string;
}

export interface LaunchMemory {
  read(key: string): Promise<LaunchRecord | null>;
  /** Whoever comes first is remembered: returns what is remembered then. With `replaces` it is this one in any case. */
  write(key: string, record: LaunchRecord, replaces: boolean): Promise<LaunchRecord>;
}

/** What starts a program: its first line says so, or its name. */
export type Runner = 'node' | 'python' | 'bun' | 'deno' | 'itself';

export interface Program {
  readonly name: string;
  /** Below the folder of the server. */
  readonly path: string;
  readonly runner: Runner;
  readonly runnerArgs: readonly string[];
  /** Whether it is of a package that was asked for, and not of one that came with it. */
  readonly isOwn: boolean;
}

export interface Archive {
  readonly name: string;
  readonly version: string;
  /** Null where only the tree as a whole has a hash. */
  readonly integrity: string | null;
}

/** `record.json` in the folder of an installed server. */
export interface ServerRecord {
  readonly format: 'hotcell-server';
  readonly subject: string;
  readonly version: string | null;
  readonly integrity: string;
  /** The launch command of whoever had it installed. */
  readonly launch: readonly string[];
  readonly asked: readonly string[];
  readonly date: string;
  readonly platform: string;
  readonly ecosystem: 'npm' | 'pypi' | 'none';
  readonly archives: readonly Archive[];
  readonly programs: readonly Program[];
  /** Of the folder of the user that it was copied from: tells later whether that has changed. */
  readonly source: { readonly path: string; readonly state: string } | null;
  /** Which install scripts ran in a box, in words. */
  readonly scripts: readonly string[];
  /** The node that they ran with, and built native parts for. */
  readonly builtWith: string | null;
  readonly problems: readonly string[];
  /** Hash of `manifest.json`. */
  readonly manifest: string;
}

export interface LaunchLimits {
  /** Of what install scripts make. */
  readonly mostMadeFiles: number;
  readonly mostMadeBytes: number;
  readonly mostFileBytes: number;
  /** Of a server that is started from where it lies: what is hashed of its entry file. */
  readonly mostEntryBytes: number;
}

export const defaultLaunchLimits: LaunchLimits = {
  mostMadeFiles: 20_000,
  mostMadeBytes: gibibyte,
  mostFileBytes: 256 * mebibyte,
  mostEntryBytes: 512 * mebibyte,
};

/** Changes of an installed server since its installation. */
export interface Verified {
  readonly isIntact: boolean;
  readonly files: number;
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly added: readonly string[];
}
