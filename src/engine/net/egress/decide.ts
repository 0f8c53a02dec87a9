import type { Policy } from '../../../base/policy-schema.ts';
import { allowsConnection } from '../../policy/network.ts';
import { addressBytes, canonicalAddress } from '../addresses.ts';
import { effectiveHost } from './effective-host.ts';
import { specialKind } from './special-address.ts';

/**
 * Whether a connection of the box may be made for it. The name is the policy's to allow; the address that it was
 * resolved to is checked once more, because whoever owns an allowed name can point it into our own network.
 */

export type Refusal = 'port' | 'not-listed' | 'not-an-address' | 'another-address' | 'special-address';

export type EgressDecision =
  | { readonly is: 'allowed'; readonly address: string }
  | { readonly is: 'refused'; readonly because: Refusal; readonly detail: string };

function refuse(because: Refusal, detail: string): EgressDecision {
  return { is: 'refused', because, detail };
}

/** A rule that means everybody does not name an address, and neither does one with a name. */
function isNamed(policy: Policy, address: string, port: number): boolean {
  return policy.network.rules.some(
    (rule) => (rule.port === '*' || rule.port === port) && canonicalAddress(rule.host) === address,
  );
}

export function decideEgress(policy: Policy, host: string, port: number, resolvedAddress: string): EgressDecision {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return refuse('port', `${port} is no port`);
  const asked = effectiveHost(host);
  if (asked === null || !allowsConnection(policy, asked, port)) {
    return refuse('not-listed', `the policy does not list ${JSON.stringify(asked ?? host.slice(0, 253))} port ${port}`);
  }
  if (addressBytes(resolvedAddress) === null) return refuse('not-an-address', 'it was resolved to no address');
  const address = canonicalAddress(resolvedAddress);
  if (addressBytes(asked) !== null && asked !== address) {
    return refuse('another-address', `${asked} was asked for, not ${address}`);
  }
  const kind = specialKind(address);
  if (kind !== null && !isNamed(policy, address, port)) {
    return refuse('special-address', `${address} is a ${kind} address, and the policy does not name it`);
  }
  return { is: 'allowed', address };
}
