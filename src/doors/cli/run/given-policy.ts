import { tiers } from '../../../base/tiers.ts';
import { tierPolicy } from '../../../engine/policy/tiers.ts';
import type { GivenPolicy } from '../../../instruments/guard/run/effective-policy.ts';
import type { Door } from '../definition.ts';

/** The policy that the settings name: a tier or a file. */
export async function readGiven(value: string): Promise<GivenPolicy> {
  const tier = tiers.find((known) => known === value.toUpperCase());
  if (tier !== undefined) return { policy: tierPolicy(tier), isPreset: true };
  const { readPolicy } = await import('../../../engine/policy/read/load.ts');
  return { policy: readPolicy(value).policy, isPreset: false };
}

/** What was asked for, if anything was; what was learnt comes before the default. */
export async function chooseGiven({
  settings,
}: Door): Promise<{ readonly given?: GivenPolicy; readonly fallback: GivenPolicy }> {
  const policy = await readGiven(settings.values.policy);
  return settings.origins.policy.kind === 'default' ? { fallback: policy } : { given: policy, fallback: policy };
}
