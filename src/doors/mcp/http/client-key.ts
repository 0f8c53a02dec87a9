import { isIPv6 } from 'node:net';

/** Groups of an IPv6 address, with `::` written out. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: missing }, () => '0'), ...right];
}

/** Who counts as one client: an IPv4 address, or the network of an IPv6 address, of which one host has 2^64. */
export function clientKey(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const [plain = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(plain) || plain === '::1') return plain;
  const network = groupsOf(plain.toLowerCase()).slice(0, 4);
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
