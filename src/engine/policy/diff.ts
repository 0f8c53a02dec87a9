import { canonicalJson } from '../../base/fingerprint.ts';
import { normaliseText } from '../../base/normalise.ts';
import type { Limits, Policy } from '../../base/policy-schema.ts';
import { denialNames, endpointsOf, grantsOf } from './canonical.ts';
import { describeEndpoint, endpointIndex, isEndpointCovered } from './network.ts';
import { accessAt, indexAccess } from './paths.ts';
import { guards } from './syscalls/guards.ts';

/** What one policy allows and another does not. */

export interface Difference {
  readonly subject: 'files' | 'environment' | 'network' | 'limits' | 'syscalls' | 'tools';
  /** In one line, such as `write {work}`. */
  readonly what: string;
}

type Compare = (a: Policy, b: Policy) => readonly string[];

const files: Compare = (a, b) => {
  const index = indexAccess(a.files);
  return grantsOf(b.files).flatMap(({ path, ...given }) => {
    const before = accessAt(index, path);
    const added = (['write', 'execute'] as const).filter((access) => given[access] && !before[access]);
    const all = given.read && !before.read && added.length === 0 ? ['read'] : added;
    return all.map((access) => `${access} ${path}`);
  });
};

const environment: Compare = (a, b) =>
  b.environment.flatMap(({ name, value }) => {
    const before = a.environment.find((rule) => rule.name === name);
    if (before === undefined) return [value === undefined ? `pass ${name}` : `${name} with a fixed value`];
    if (before.value === value || before.value === undefined) return [];
    return [value === undefined ? `any value for ${name}` : `another value for ${name}`];
  });

const network: Compare = (a, b) => {
  if (b.network.mode === 'fake') return a.network.mode === 'none' ? ['a fake network'] : [];
  const before = endpointIndex(a.network.mode === 'allowlist' ? a.network.rules : []);
  return endpointsOf(b.network)
    .filter((rule) => !isEndpointCovered(before, rule))
    .map((rule) => `connect to ${describeEndpoint(rule)}`);
};

const limits: Compare = (a, b) =>
  (Object.keys(b.limits) as (keyof Limits)[])
    .filter((name) => b.limits[name] > a.limits[name])
    .map((name) => `${name} ${b.limits[name]} instead of ${a.limits[name]}`);

const syscalls: Compare = (a, b) => {
  const after = new Set(denialNames(b));
  return denialNames(a)
    .filter((name) => !after.has(name) && !after.has(guards.get(name)?.call ?? name))
    .map((name) => `call ${name}`);
};

const verdictRanks = { deny: 0, ask: 1, allow: 2 } as const;

type ToolRule = NonNullable<Policy['tools']>[number];

/**
 * A list of tools is complete: what it does not name is denied, and the first rule for a name counts.
 * Without a list every tool is allowed.
 */
function rulesByTool(policy: Policy): (tool: string) => Pick<ToolRule, 'verdict' | 'arguments'> {
  if (policy.tools === undefined) return () => ({ verdict: 'allow' });
  const rules = new Map(policy.tools.toReversed().map((rule) => [normaliseText(rule.tool).text, rule]));
  return (tool) => rules.get(tool) ?? { verdict: 'deny' };
}

const tools: Compare = (a, b) => {
  if (b.tools === undefined) return a.tools === undefined ? [] : ['every tool'];
  const [ruleBefore, ruleAfter] = [rulesByTool(a), rulesByTool(b)];
  return Array.from(new Set(b.tools.map(({ tool }) => normaliseText(tool).text))).flatMap((tool) => {
    const [before, after] = [ruleBefore(tool), ruleAfter(tool)];
    if (verdictRanks[after.verdict] > verdictRanks[before.verdict]) return [`${after.verdict} the tool ${tool}`];
    const isLooser = after.verdict !== 'deny' && before.arguments !== undefined;
    const isOther = canonicalJson(before.arguments ?? {}) !== canonicalJson(after.arguments ?? {});
    return isLooser && isOther ? [`other arguments for the tool ${tool}`] : [];
  });
};

const comparisons: readonly (readonly [Difference['subject'], Compare])[] = [
  ['files', files],
  ['environment', environment],
  ['network', network],
  ['limits', limits],
  ['syscalls', syscalls],
  ['tools', tools],
];

/** What b allows that a does not; empty when b is at least as strict. */
export function diffPolicies(a: Policy, b: Policy): readonly Difference[] {
  return comparisons.flatMap(([subject, compare]) => compare(a, b).map((what) => ({ subject, what })));
}
