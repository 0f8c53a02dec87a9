import { isIPv4, isIPv6 } from 'node:net';

/** Addresses as bytes and back, in one spelling. */

export function formatIpv6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0)).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}

/** Four or sixteen bytes; null for text that is no address. */
export function addressBytes(address: string): Buffer | null {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  if (!isIPv6(address) || address.includes('%')) return null;
  const shortest = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = shortest.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const bytes = Buffer.alloc(16);
  [...left, ...zeros, ...right].forEach((group, at) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), at * 2);
  });
  return bytes;
}

/** One spelling; an IPv6 address that only wraps an IPv4 one becomes that. Text that is no address stays as it is. */
export function canonicalAddress(address: string): string {
  const bytes = addressBytes(address);
  if (bytes === null) return address;
  if (bytes.length === 4) return bytes.join('.');
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes.readUInt16BE(10) === 0xffff;
  return isMapped ? bytes.subarray(12).join('.') : formatIpv6(bytes);
}
