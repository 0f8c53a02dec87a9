import type { Policy } from '../../../base/policy-schema.ts';
import type { Gap } from '../gap.ts';

/** A box with an empty network of its own reaches nobody by itself: an allowlist needs a gate in front of it. */
export function emptyNetworkGaps(policy: Policy): readonly Gap[] {
  if (policy.network.mode === 'none') return [];
  if (policy.network.mode === 'fake') {
    const what = 'the network of the box is empty until a fake internet is put into it';
    return [{ id: 'fake-network', path: 'network.mode', what, effect: 'closed' }];
  }
  const what = 'the network of the box is empty: what the list allows is reached only through a gate put into it';
  return [{ id: 'network-gate', path: 'network.rules', what, effect: 'closed' }];
}
