import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import { allowsConnection } from '../../policy/network.ts';
import { canonicalAddress } from '../addresses.ts';
import { effectiveHost } from './effective-host.ts';

/**
 * The rules of a gate at this moment. `audit-only` lets every public host through and only tells what is not listed;
 * addresses of our own network stay closed unless a rule names them.
 */

export const egressModes = ['default-deny', 'audit-only'] as const;
export type EgressMode = (typeof egressModes)[number];

const everybody: NetworkRule = { host: '*', port: '*', why: 'nothing is refused while it is only looked at' };

function withRules(policy: Policy, rules: readonly NetworkRule[]): Policy {
  return { ...policy, network: { mode: 'allowlist', rules: [...rules] } };
}

export class RulesInForce {
  readonly #base: Policy;
  #listed: Policy;
  #policy: Policy;

  constructor(policy: Policy) {
    this.#base = policy;
    this.#listed = policy;
    this.#policy = policy;
  }

  get policy(): Policy {
    return this.#policy;
  }

  /** As the router process wants them. */
  get hosts(): readonly string[] {
    return this.#policy.network.rules.map(({ host }) => canonicalAddress(host));
  }

  set(rules: readonly NetworkRule[], mode: EgressMode): void {
    this.#listed = withRules(this.#base, rules);
    this.#policy = mode === 'audit-only' ? withRules(this.#base, [...rules, everybody]) : this.#listed;
  }

  isListed(host: string, port: number): boolean {
    const asked = effectiveHost(host);
    return asked !== null && allowsConnection(this.#listed, asked, port);
  }
}
