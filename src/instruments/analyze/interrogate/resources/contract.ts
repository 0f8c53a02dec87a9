import type { Finding } from '../../../../base/finding-schema.ts';
import type { CallResult } from '../../../../targets/conversation/contract.ts';
import type { NotTried, Observed, Trial, Verdict } from '../trials/index.ts';

/** Resources and prompts, asked for what they do not offer. Trials are those of tools; only the request is another. */

export type ResourceRequest =
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'prompt'; readonly name: string; readonly input: Readonly<Record<string, string>> };

/** `tool` is `resources/read`, `resources/read TEMPLATE` or `prompts/get NAME`. */
export interface ResourceTrial extends Trial {
  readonly request: ResourceRequest;
}

export interface ResourceTrials {
  /** What the server itself offers, asked for as it wants to be asked. */
  readonly honest: readonly ResourceRequest[];
  /** The likeliest first. */
  readonly trials: readonly ResourceTrial[];
  readonly notTried: readonly NotTried[];
}

/** Makes the calls one after the other and, when the world has settled, says what each of them did. */
export type Observe = (
  calls: readonly (() => Promise<CallResult>)[],
) => Promise<readonly Pick<Observed, 'result' | 'events' | 'newFiles'>[]>;

export interface ResourceSession {
  readonly verdicts: readonly Verdict[];
  readonly findings: readonly Finding[];
  /** Every call that was made, for `inspectResults`. */
  readonly calls: readonly {
    readonly tool: string;
    readonly input: unknown;
    readonly result: CallResult;
    readonly isTrial: boolean;
  }[];
  readonly tried: number;
  readonly notTried: readonly NotTried[];
  readonly goneDuring?: string;
}
