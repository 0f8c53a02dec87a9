import { fingerprint } from '../../base/fingerprint.ts';
import type { FileRule, NetworkRule, Policy } from '../../base/policy-schema.ts';
import { endpointIndex, widerKeys } from './network.ts';
import {
  type AccessIndex,
  ancestorsOf,
  comparePaths,
  indexAccess,
  isCovered,
  noAccess,
  type PathAccess,
  unite,
} from './paths.ts';
import { guards } from './syscalls/guards.ts';

/** One form per meaning: order, doubles, reasons and rules that add nothing do not count. */

export interface PathGrant extends PathAccess {
  readonly path: string;
}

/** The paths that give more than their ancestors do, with everything that holds there. */
export function grantsOf(rules: readonly FileRule[]): readonly PathGrant[] {
  const index = indexAccess(rules);
  return Array.from(index, ([path, own]) => ({ path, own, above: aboveOf(index, path) }))
    .filter(({ own, above }) => !isCovered(own, above))
    .map(({ path, own, above }) => ({ path, ...unite(own, above) }))
    .sort((left, right) => comparePaths(left.path, right.path));
}

function aboveOf(index: AccessIndex, path: string): PathAccess {
  return ancestorsOf(path).reduce((access, each) => unite(access, index.get(each) ?? noAccess), noAccess);
}

/** The rules that no other rule covers. */
export function endpointsOf(network: Policy['network']): readonly Pick<NetworkRule, 'host' | 'port'>[] {
  if (network.mode !== 'allowlist') return [];
  const rules = endpointIndex(network.rules);
  return Array.from(rules.values()).filter((rule) => !widerKeys(rule).some((key) => rules.has(key)));
}

/** Guards on a call that is refused as a whole add nothing. */
export function denialNames(policy: Policy): readonly string[] {
  const names = new Set(policy.syscalls.deny.map(({ name }) => name));
  for (const name of [...names]) {
    const guard = guards.get(name);
    if (guard !== undefined && names.has(guard.call)) names.delete(name);
    for (const call of guard?.also ?? []) names.add(call);
  }
  return Array.from(names).sort();
}

function environmentOf(policy: Policy): readonly string[] {
  const pairs = policy.environment.map(({ name, value }) => JSON.stringify([name, value ?? null]));
  return Array.from(new Set(pairs)).sort();
}

/** The first rule for a tool is the one that counts, so their order stays. No list is not an empty list. */
function toolsOf(policy: Policy): readonly unknown[] | null {
  return policy.tools === undefined
    ? null
    : policy.tools.map(({ tool, verdict, arguments: schemas }) => ({ tool, verdict, schemas }));
}

export function canonicalPolicy(policy: Policy): unknown {
  return {
    version: policy.version,
    files: grantsOf(policy.files),
    environment: environmentOf(policy),
    network: {
      mode: policy.network.mode,
      rules: endpointsOf(policy.network)
        .map(({ host, port }) => `${host} ${port}`)
        .sort(),
    },
    limits: policy.limits,
    syscalls: denialNames(policy),
    tools: toolsOf(policy),
  };
}

/** Stable name of what a policy means: 64 hexadecimal digits. */
export function fingerprintPolicy(policy: Policy): string {
  return fingerprint(canonicalPolicy(policy));
}
