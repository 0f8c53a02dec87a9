import type { Event } from '../../../../base/event-schema.ts';
import { asNumber, asString } from '../../../../base/json-shape.ts';

/** Who can reach a server: this machine alone, or others as well. */

export type Reach = 'loopback' | 'network' | 'unknown';

const mostAddresses = 64;

/** Addresses that were bound, on this port or on one that the kernel chose. */
export function bindAddressesOf(events: readonly Event[], port?: number): readonly string[] {
  const bound = events.flatMap(({ kind, fields, outcome }) => {
    if (kind !== 'bind' || outcome === 'failed' || outcome === 'denied') return [];
    const address = asString(fields.address);
    const own = asNumber(fields.port);
    const isIt = port === undefined || own === undefined || own === port || own === 0;
    return address !== undefined && address !== '' && isIt ? [address] : [];
  });
  return [...new Set(bound)].slice(0, mostAddresses);
}

const loopback = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost)$/;
const privateAddress =
  /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)|\.(?:local|internal|lan|home\.arpa)$/;

function plain(address: string): string {
  return address
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '');
}

export function isLoopbackAddress(address: string): boolean {
  return loopback.test(plain(address));
}

/** A name or an address that only some can reach, and whose guard is that they alone can. */
export function isInside(host: string): boolean {
  const name = plain(host);
  return loopback.test(name) || privateAddress.test(name) || name.endsWith('.localhost');
}

export function reachOf(bindAddresses: readonly string[]): Reach {
  if (bindAddresses.length === 0) return 'unknown';
  return bindAddresses.every(isLoopbackAddress) ? 'loopback' : 'network';
}
