/** A command line, taken apart by the grammar of bash and run without one where that can be. */

export interface Redirect {
  readonly fd: number;
  readonly mode: 'read' | 'write' | 'append';
  readonly path: string;
}

export interface Step {
  readonly argv: readonly string[];
  readonly redirects: readonly Redirect[];
  /** `2>&1`, `|&`, `&>`: standard error goes where standard output goes. */
  readonly isErrorJoined: boolean;
}

/** Steps of one pipeline; `when` says what the one before must have come to. */
export interface Pipeline {
  readonly when: 'always' | 'success' | 'failure';
  readonly steps: readonly Step[];
}

/** A command wherever it stands in the line. Words that only a shell could know are null. */
export interface SeenCommand {
  /** Empty for a redirection, which is seen by itself. */
  readonly argv: readonly (string | null)[];
  readonly redirects: readonly { readonly mode: Redirect['mode']; readonly path: string | null }[];
}

interface ReadLine {
  /** The line as it was given. */
  readonly given: string;
  /** What is to be run: without `--acknowledge-raw`, which is a word to us alone. */
  readonly line: string;
  readonly isAcknowledged: boolean;
  readonly judgement: Judgement;
  readonly seen: readonly SeenCommand[];
}

export type ParsedCommand =
  | (ReadLine & { readonly kind: 'pipeline'; readonly pipelines: readonly Pipeline[] })
  /** What needs a shell: `variable`, `glob`, `subshell`, `loop`. */
  | (ReadLine & { readonly kind: 'shell'; readonly why: readonly string[] })
  /** What bash itself would not take, or what is too much to read. */
  | (ReadLine & { readonly kind: 'refused'; readonly rule: string; readonly why: string });

/** How a line could be run, before it is judged. */
export type Form =
  | { readonly kind: 'pipeline'; readonly pipelines: readonly Pipeline[] }
  | { readonly kind: 'shell'; readonly why: readonly string[] }
  | { readonly kind: 'refused'; readonly rule: string; readonly why: string };

/** Text that the reader of the output should see beside it. */
export interface Advisory {
  readonly rule: string;
  readonly text: string;
}

export interface Judgement {
  readonly verdict: 'allowed' | 'refused' | 'discouraged';
  readonly rule: string | null;
  readonly why: string | null;
  /** What to do instead. */
  readonly better?: string;
  readonly advisories: readonly Advisory[];
}
