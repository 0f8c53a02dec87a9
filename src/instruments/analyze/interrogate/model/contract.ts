import type { ListedTool } from '../../../../targets/conversation/contract.ts';

/**
 * A language model that proposes arguments. It sees names, descriptions and schemas of tools, marked as data of a stranger,
 * and nothing else; what it proposes is tried in the box like everything else, and decides nothing.
 */

export interface Proposal {
  readonly tool: string;
  /** Inputs that an honest user could give. */
  readonly honest: readonly Readonly<Record<string, unknown>>[];
  /** Values for one top-level parameter that a hostile one could give, as texts of a class of trials. */
  readonly hostile: readonly { readonly parameter: string; readonly class: string; readonly value: string }[];
}

export interface Model {
  readonly id: string;
  /** Never throws for what the model or its service does wrong: the problem is told instead. */
  propose(
    tools: readonly ListedTool[],
    signal: AbortSignal,
  ): Promise<{ readonly proposals: readonly Proposal[]; readonly problems: readonly string[] }>;
}
