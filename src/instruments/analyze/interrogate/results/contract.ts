import type { Evidence, Finding } from '../../../../base/finding-schema.ts';
import type { CallResult, ListedTool } from '../../../../targets/conversation/contract.ts';
import { excerpt, oneLine } from '../../inspect/rule.ts';

/** What comes back to the model, looked at for what the server put there of its own accord. */

export interface InspectedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly result: CallResult;
  /** Made to mislead it: what comes back may be ours in another form. */
  readonly isTrial: boolean;
}

export interface ResultOptions {
  /** For their output schemas. */
  readonly tools?: readonly ListedTool[];
  /** Values that only the server's environment holds. */
  /** Texts in the world that speak to a model, see `noteToModels`: whatever returns them passes them on. */
  readonly planted?: readonly string[];
  readonly secrets?: readonly { readonly name: string; readonly value: string }[];
}

/** One call as every inspector sees it. */
export interface SeenCall extends InspectedCall {
  readonly text: string;
  /** Its lines that no earlier result of the tool had: answers to hundreds of trials are mostly the same. */
  readonly freshText: string;
  /** Texts that we sent up to this call, and those that the world holds. */
  readonly given: () => readonly string[];
}

export type ResultInspector = (call: SeenCall) => readonly Finding[];

export function evidenceAt({ tool }: InspectedCall, text: string): Evidence {
  return { kind: 'response', ref: oneLine(`result of ${tool}`, 400), excerpt: excerpt(text, 1024) };
}
