import type { Policy } from '../../base/policy-schema.ts';

/** The policy with the variables of a cell let in: bait, and where to find the certificates of its internet. */
export function letVariablesIn(policy: Policy, names: readonly string[], why: string): Policy {
  const known = new Set(policy.environment.map(({ name }) => name));
  const fresh = names.filter((name) => !known.has(name)).map((name) => ({ name, why }));
  return fresh.length === 0 ? policy : { ...policy, environment: [...policy.environment, ...fresh] };
}

/** Only those that the policy does not fix to a value of its own. */
export function givable(policy: Policy, variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const fixed = new Set(policy.environment.flatMap(({ name, value }) => (value === undefined ? [] : [name])));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !fixed.has(name)));
}
