import { UsageError } from '../../../base/errors.ts';
import { addressBytes, canonicalAddress } from '../addresses.ts';
import type { NetEvent } from '../event.ts';
import { isWithinRange } from './special-address.ts';

/**
 * Loopback addresses of the host that a box may be led to. On the wire each has an alias of its own, because packets to
 * loopback do not cross one; in the record and in every decision it is the address that was asked for.
 */

export interface LoopbackLead {
  readonly address: string;
  readonly alias: string;
}

/** Nobody has these: 240.0.0.0/4 was never given out, and what is sent to 100::/64 is discarded. */
const ipv6Alias = '100::1';
const ipv4Alias = (index: number): string => `240.0.${index >> 8}.${index & 255}`;
const mostAddresses = 1024;

export function leadLoopback(addresses: readonly string[]): readonly LoopbackLead[] {
  const asked = [...new Set(addresses.map(canonicalAddress))];
  if (asked.length > mostAddresses) {
    throw new UsageError(`${asked.length} loopback addresses are too many, ${mostAddresses} is the most`);
  }
  return asked.map((address, at) => {
    const bytes = addressBytes(address);
    if (address === '::1') return { address, alias: ipv6Alias };
    if (bytes !== null && isWithinRange(bytes, '127.0.0.0/8')) return { address, alias: ipv4Alias(at + 1) };
    throw new UsageError(`${JSON.stringify(address.slice(0, 80))} is no loopback address`);
  });
}

/** Rules of the box's own namespace, where nobody in the box can change them. */
export function loopbackRules(leads: readonly LoopbackLead[], link: string): string {
  const family = (address: string): string => (address.includes(':') ? 'ip6' : 'ip');
  const lines = leads.map(({ address, alias }) => {
    const version = family(address);
    return `    ${version} daddr ${address} dnat ${version} to ${alias}`;
  });
  return `table inet hotcell-loopback {
  chain asked {
    type nat hook output priority -100; policy accept;
${lines.join('\n')}
  }
  chain leaving {
    type nat hook postrouting priority 100; policy accept;
    oifname "${link}" ip saddr 127.0.0.0/8 masquerade
  }
}
`;
}

export class LoopbackNames {
  readonly #byAlias: ReadonlyMap<string, string>;

  constructor(leads: readonly LoopbackLead[]) {
    this.#byAlias = new Map(leads.map(({ address, alias }) => [alias, address]));
  }

  /** The same thing, with the address that the box asked for in the place of an alias. */
  restore<Asked extends { readonly address: string }>(asked: Asked): Asked {
    const address = this.#byAlias.get(asked.address);
    return address === undefined ? asked : { ...asked, address };
  }

  restoreEvents(events: readonly NetEvent[]): readonly NetEvent[] {
    return this.#byAlias.size === 0 ? events : events.map((event) => ({ ...event, asked: this.restore(event.asked) }));
  }
}
