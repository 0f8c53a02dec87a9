import type { Policy } from '../../../base/policy-schema.ts';
import { compile, samplePlace } from '../../../engine/policy/index.ts';
import { describedTargets, type PolicyDescriptor } from './contract.ts';

/** What the policy becomes, for a box whose folders are made up: the real ones are known when it starts. */
export function describePolicy(policy: Policy): readonly PolicyDescriptor[] {
  const place = samplePlace({ architecture: process.arch === 'arm64' ? 'arm64' : 'x64' });
  return describedTargets.map((target) => {
    const { text, gaps } = compile(policy, target, place);
    return { target, text, gaps: gaps.map(({ id, what, effect }) => ({ id, what, effect })) };
  });
}
