import { canonicalJson } from '../../../base/fingerprint.ts';
import type { Limits, Policy } from '../../../base/policy-schema.ts';
import { guards } from '../../../engine/policy/syscalls/guards.ts';

/**
 * Two policies for one server as one: whatever either of them allows, with the reasons and the evidence of both. The
 * larger of two limits counts, a system call is denied when both deny it, and a tool may be called when one of them lets
 * it be. A policy without a list of tools allows all of them, and so does the result then.
 */

interface Reasoned {
  readonly why?: string | undefined;
  readonly seenIn?: string[] | undefined;
}

const longestReason = 2000;
const mostEvidence = 1000;

function joinReasons(left: Reasoned, right: Reasoned): { why?: string; seenIn?: string[] } {
  const whys = [...new Set([left.why, right.why].filter((why) => why !== undefined && why !== ''))];
  const seenIn = [...new Set([...(left.seenIn ?? []), ...(right.seenIn ?? [])])].slice(0, mostEvidence);
  return {
    ...(whys.length === 0 ? {} : { why: whys.join('; ').slice(0, longestReason) }),
    ...(seenIn.length === 0 ? {} : { seenIn }),
  };
}

/** Lines with the same key become one; the order is that of the first list, then of the second. */
function unite<T extends Reasoned>(
  left: readonly T[],
  right: readonly T[],
  keyOf: (line: T) => string,
  combine: (a: T, b: T) => T = (a) => a,
): T[] {
  const lines = new Map<string, T>();
  for (const line of [...left, ...right]) {
    const before = lines.get(keyOf(line));
    lines.set(keyOf(line), before === undefined ? line : { ...combine(before, line), ...joinReasons(before, line) });
  }
  return [...lines.values()];
}

type NetworkMode = Policy['network']['mode'];
const modeRanks: Readonly<Record<NetworkMode, number>> = { none: 0, fake: 1, allowlist: 2 };

function mergeNetworks(left: Policy['network'], right: Policy['network']): Policy['network'] {
  const mode = modeRanks[left.mode] >= modeRanks[right.mode] ? left.mode : right.mode;
  if (mode !== 'allowlist') return { mode, rules: [] };
  const rulesOf = ({ mode: own, rules }: Policy['network']) => (own === 'allowlist' ? rules : []);
  return { mode, rules: unite(rulesOf(left), rulesOf(right), ({ host, port }) => `${host} ${port}`) };
}

type EnvironmentRule = Policy['environment'][number];

/** A value that only one of them fixes is free; of two fixed ones the first stays, since freeing it would allow any. */
function mergeVariable(left: EnvironmentRule, right: EnvironmentRule): EnvironmentRule {
  return left.value === undefined || right.value === undefined ? { name: left.name } : left;
}

type ToolRule = NonNullable<Policy['tools']>[number];
const verdictRanks: Readonly<Record<ToolRule['verdict'], number>> = { deny: 0, ask: 1, allow: 2 };

type Patterns = NonNullable<ToolRule['arguments']>;

/** An argument may be what either of them lets it be; one that only one of them restricts is free. */
function mergePatterns(left: Patterns | undefined, right: Patterns | undefined): Patterns {
  return Object.fromEntries(
    Object.entries(left ?? {}).flatMap(([name, pattern]) => {
      const other = right !== undefined && Object.hasOwn(right, name) ? right[name] : undefined;
      if (other === undefined) return [];
      const isSame = canonicalJson(pattern) === canonicalJson(other);
      return [[name, isSame ? pattern : { anyOf: [pattern, other] }]];
    }),
  );
}

/** Of two verdicts the more generous counts, with its own patterns. */
function mergeTool(left: ToolRule, right: ToolRule): ToolRule {
  const difference = verdictRanks[left.verdict] - verdictRanks[right.verdict];
  if (difference !== 0) return difference > 0 ? left : right;
  const patterns = mergePatterns(left.arguments, right.arguments);
  const kept = Object.keys(patterns).length === 0 ? {} : { arguments: patterns };
  return { tool: left.tool, verdict: left.verdict, ...kept };
}

function mergeLimits(left: Limits, right: Limits): Limits {
  const names = Object.keys(left) as (keyof Limits)[];
  return Object.fromEntries(names.map((name) => [name, Math.max(left[name], right[name])])) as unknown as Limits;
}

function isDenied({ syscalls }: Policy, name: string): boolean {
  // A guard on some uses of a call is in force as well where the whole call is denied.
  const whole = guards.get(name)?.call;
  return syscalls.deny.some((rule) => rule.name === name || rule.name === whole);
}

export function mergePolicies(left: Policy, right: Policy): Policy {
  const denials = unite(left.syscalls.deny, right.syscalls.deny, ({ name }) => name);
  const { tier, tools: leftTools, ...rest } = left;
  const tools =
    leftTools === undefined || right.tools === undefined
      ? undefined
      : unite(leftTools, right.tools, (rule) => rule.tool, mergeTool);
  return {
    ...rest,
    ...(tier !== undefined && tier === right.tier ? { tier } : {}),
    files: unite(left.files, right.files, ({ path, access }) => `${access} ${path}`),
    environment: unite(left.environment, right.environment, ({ name }) => name, mergeVariable),
    network: mergeNetworks(left.network, right.network),
    limits: mergeLimits(left.limits, right.limits),
    syscalls: { deny: denials.filter(({ name }) => isDenied(left, name) && isDenied(right, name)) },
    ...(tools === undefined ? {} : { tools }),
  };
}
