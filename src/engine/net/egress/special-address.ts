import { addressBytes } from '../addresses.ts';

/** Addresses that are not the public internet (IANA's special-purpose registries), and what each range is. */
export const specialRanges: readonly (readonly [range: string, what: string])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier'],
  ['100.100.100.200/32', 'metadata'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'metadata'],
  ['169.254.169.254/32', 'metadata'],
  ['169.254.170.2/32', 'metadata'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmark'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['100::/64', 'reserved'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'reserved'],
  ['fd00:ec2::254/128', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
];

/** IPv6 ranges that carry an IPv4 address, and where it stands. Where the packet really goes is decided by that. */
export const carrierRanges: readonly (readonly [range: string, at: number])[] = [
  ['::ffff:0:0/96', 12],
  ['::ffff:0:0:0/96', 12],
  ['::/96', 12],
  ['64:ff9b::/96', 12],
  ['64:ff9b:1::/48', 12],
  ['2002::/16', 2],
];

/** Whether an address lies in a range such as 10.0.0.0/8. */
export function isWithinRange(bytes: Buffer, range: string): boolean {
  const [address = '', length = ''] = range.split('/');
  const base = addressBytes(address);
  if (base === null || base.length !== bytes.length) return false;
  const bits = Number(length);
  const whole = bits >> 3;
  if (!bytes.subarray(0, whole).equals(base.subarray(0, whole))) return false;
  const rest = bits & 7;
  return rest === 0 || ((bytes[whole] ?? 0) ^ (base[whole] ?? 0)) >> (8 - rest) === 0;
}

/** What kind of place an address is; null for the public internet, `unreadable` for what is no address. */
export function specialKind(address: string): string | null {
  const bytes = addressBytes(address);
  if (bytes === null) return 'unreadable';
  const found = specialRanges.find(([range]) => isWithinRange(bytes, range))?.[1];
  if (found !== undefined) return found;
  const carrier = bytes.length === 16 ? carrierRanges.find(([range]) => isWithinRange(bytes, range)) : undefined;
  if (carrier === undefined) return null;
  const [, at] = carrier;
  return specialKind(bytes.subarray(at, at + 4).join('.'));
}
