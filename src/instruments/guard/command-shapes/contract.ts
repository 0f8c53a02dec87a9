/** Whether a launch command has a shape that is known to hand over more than the server it names. */

/** One reason to say no. */
export interface ShapeHit {
  /** `inline-code`, `shell-line`, `executing-option`, …: an id of rules/command-shapes.json. */
  readonly id: string;
  readonly title: string;
  /** The words it is in, quoted as a shell would want them and safe to show. */
  readonly where: string;
  /** What makes these words dangerous. */
  readonly why: string;
  /** Attacks in the wild that had this shape. */
  readonly cve: readonly string[];
}

export interface CommandCheck {
  readonly isExploitable: boolean;
  readonly shapes: readonly ShapeHit[];
  /** Worth knowing, and nothing to refuse: a package without a version, a shell that only starts a launcher. */
  readonly notes: readonly string[];
}

/** What a command is given as: words as a program gets them, or a line as a shell reads it. */
export type GivenCommand = string | readonly string[];

/** Old names of tests that looked for a few of the shapes each. */
export interface Predicate {
  readonly id: string;
  readonly title: string;
  readonly shapes: readonly string[];
}
