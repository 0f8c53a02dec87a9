/** What a call comes to, for whoever carries it to a client or a terminal. */

export type AnswerPart =
  | { readonly kind: 'said'; readonly text: string }
  /** Text of a target, as it is: whoever shows it fences and labels it. */
  | { readonly kind: 'quoted'; readonly label: string; readonly text: string };

export interface ToolAnswer {
  /** Fits the output schema of the tool; empty where `isError`. */
  readonly structured: Readonly<Record<string, unknown>>;
  readonly parts: readonly AnswerPart[];
  /** For models that cannot read structured content: within the budget, with what came from a target fenced. */
  readonly text: string;
  readonly isError: boolean;
  /** Why there is no answer, and what can be done about it. */
  readonly error?: { readonly message: string; readonly hint?: string; readonly code?: string };
  /** As `exitCodes` has it: what a command line ends with. */
  readonly exitCode: number;
  /** Where the whole of it is, when the answer could not hold it. */
  readonly spilled?: { readonly path: string; readonly bytes: number };
}
