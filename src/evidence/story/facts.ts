/** What is known about a run besides its events. All paths are those of the box. */
export interface StoryFacts {
  readonly home: string;
  /** Where the target and its dependencies lie. */
  readonly ownFolders: readonly string[];
  /** Files that were planted, absolute or relative to the home folder. */
  readonly decoys: readonly string[];
  /** Hosts that its documentation, manifest, arguments or variables name, lower case; a name covers those below it. */
  readonly declaredHosts: readonly string[];
}

/** The most of each list that a story holds; what is beyond is counted and left out. */
export const most = { phases: 32, calls: 4000, processes: 600, files: 1500, hosts: 300 } as const;
