import type { Policy } from '../../../base/policy-schema.ts';
import { searchPath } from '../tier-environment.ts';

/** The PATH that the first program in a box starts with; the target's own environment is built later, inside. */
export function searchPathOf(policy: Policy): string {
  return policy.environment.find(({ name }) => name === 'PATH')?.value ?? searchPath;
}
