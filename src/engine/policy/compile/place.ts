/**
 * Where one box stands: the facts about the host and the box's layout that a policy is compiled against.
 * Compilers are pure: whatever they need to know about the machine is in here.
 */

/** What stands at a host path that a policy names. A path that is not in the map does not exist. */
export type PathFact =
  | { readonly type: 'file' }
  | { readonly type: 'folder' }
  | { readonly type: 'other' }
  /**
   * Any path whose real path is another one. `target` as written in the link (where only a parent is a link: equal to
   * `resolved`), `resolved` is the real path and `resolvedType` what stands there.
   */
  | {
      readonly type: 'link';
      readonly target: string;
      readonly resolved: string;
      readonly resolvedType?: 'file' | 'folder' | 'other';
    };

/** One file that the box sees instead of the host's, so that it looks like an ordinary laptop. */
export interface IdentityFile {
  readonly source: string;
  readonly target: string;
}

export interface Place {
  readonly boxId: string;
  /** Empty folder that becomes `/`; mount points and links are made in it beforehand. */
  readonly rootFolder: string;
  /** Host folders behind {home}, {work} and {tmp}. */
  readonly hostFolders: { readonly home: string; readonly work: string; readonly tmp: string };
  /** The same three as the target sees them. On a backend without a mount namespace: equal to hostFolders. */
  readonly boxFolders: { readonly home: string; readonly work: string; readonly tmp: string };
  readonly identityFiles: readonly IdentityFile[];
  readonly hostName: string;
  readonly userName: string;
  /** Ids inside the box. */
  readonly uid: number;
  readonly gid: number;
  /** Ids on the host that the inner ones are mapped to; equal to uid and gid when nothing is mapped. */
  readonly hostUid: number;
  readonly hostGid: number;
  readonly architecture: 'x64' | 'arm64';
  readonly pathFacts: ReadonlyMap<string, PathFact>;
  /** Small files of the host, or of Hotcell, that are copied into the root folder: cheaper than a mount each. */
  readonly copyable?: ReadonlySet<string>;
  /** 0 where the kernel has no Landlock. */
  readonly landlockAbi: number;
  /** Host files of the two programs that Hotcell itself runs in the box: the interpreter and its airlock script. */
  readonly airlock: { readonly interpreter: string; readonly script: string };
}

/** Where the airlock script stands inside the box. */
export const airlockTarget = '/run/airlock';
