import type { Policy } from '../../../base/policy-schema.ts';

/** What a policy says about one tool. */

export type ToolLine = NonNullable<Policy['tools']>[number];
export type ToolVerdict = ToolLine['verdict'];

/** The strictest of several lines about one tool holds. */
const strictness: readonly ToolVerdict[] = ['allow', 'ask', 'deny'];

/** Lines that name the tool; where none does, those for `*`. */
export function linesFor({ tools = [] }: Policy, tool: string): readonly ToolLine[] {
  const named = tools.filter((line) => line.tool === tool);
  return named.length > 0 ? named : tools.filter((line) => line.tool === '*');
}

/** A policy that allows some tools allows no others; one that only forbids some allows the rest. */
export function verdictOn(policy: Policy, tool: string): ToolVerdict {
  const lines = linesFor(policy, tool);
  if (lines.length === 0) return (policy.tools ?? []).some(({ verdict }) => verdict === 'allow') ? 'deny' : 'allow';
  return lines
    .map(({ verdict }) => verdict)
    .reduce((left, right) => (strictness.indexOf(right) > strictness.indexOf(left) ? right : left));
}
