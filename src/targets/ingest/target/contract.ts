/** What a user typed, read exactly. Reading it touches nothing but the names of local files. */

/** Decided by the name of a file and, for JSON, TOML and YAML, by what is in it. */
export type FileFormat =
  | 'bundle'
  | 'tarball'
  | 'wheel'
  | 'zip'
  | 'server-manifest'
  | 'tool-list'
  | 'client-config'
  | 'script'
  | 'program';

export interface FolderTarget {
  readonly kind: 'folder';
  readonly path: string;
}

export interface FileTarget {
  readonly kind: 'file';
  readonly format: FileFormat;
  readonly path: string;
}

export interface NpmTarget {
  readonly kind: 'npm';
  readonly name: string;
  readonly wanted: { readonly is: 'version' | 'tag' | 'range'; readonly value: string };
}

export interface PypiTarget {
  readonly kind: 'pypi';
  /** In the normal form of the index: lower case, runs of `-_.` as one `-`. */
  readonly name: string;
  readonly extras: readonly string[];
  /** As in `==1.0` or `>=1,<2`; empty for the newest. */
  readonly specifier: string;
}

export type GitProtocol = 'https' | 'ssh' | 'file';

export interface GitTarget {
  readonly kind: 'git';
  readonly url: string;
  readonly protocol: GitProtocol;
  /** A branch, a tag or a commit. */
  readonly ref?: string;
  /** The folder of the repository that is meant, with forward slashes. */
  readonly folder?: string;
}

export interface RemoteTarget {
  readonly kind: 'remote';
  readonly url: string;
}

export interface ImageTarget {
  readonly kind: 'image';
  readonly reference: string;
}

/** What one command would start. */
export type StartedTarget = FolderTarget | FileTarget | NpmTarget | PypiTarget | GitTarget | RemoteTarget | ImageTarget;

export interface CommandTarget {
  readonly kind: 'command';
  readonly argv: readonly string[];
  readonly launcher: string;
  readonly starts: StartedTarget;
  /** Packages and files that it loads besides, such as `npx -p other` or `node --require file`. */
  readonly besides: readonly StartedTarget[];
  /** What the started program gets as its own arguments. */
  readonly args: readonly string[];
}

export type ParsedTarget = StartedTarget | CommandTarget;

export interface TargetContext {
  readonly cwd: string;
  /** For `~/`. */
  readonly home?: string;
  /** Where a command that is only a name is looked for: the folders of PATH. */
  readonly searchPath?: readonly string[];
}

/** Longer than any name, path or command that a person types. */
export const longestTargetText = 8192;
