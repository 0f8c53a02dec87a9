import { addressBytes, canonicalAddress, formatIpv6 } from '../../../engine/net/addresses.ts';

/** Addresses and ranges as numbers, so that one can be told to lie inside another. */

export interface AddressRange {
  /** As it stands in the scope: `10.0.0.0/24`, `::1`. */
  readonly text: string;
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

const bitsOf = { 4: 32, 6: 128 } as const;

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

export function formatAddress(family: 4 | 6, value: bigint): string {
  const bytes = Buffer.from(value.toString(16).padStart(bitsOf[family] / 4, '0'), 'hex');
  return family === 4 ? bytes.join('.') : formatIpv6(bytes);
}

/** One address as a range; null for text that is none. An IPv4 address wrapped into IPv6 is that address. */
export function rangeOfAddress(address: string): AddressRange | null {
  const text = canonicalAddress(address);
  const bytes = addressBytes(text);
  if (bytes === null) return null;
  const value = numberOf(bytes);
  return { text, family: bytes.length === 4 ? 4 : 6, first: value, last: value };
}

/** `10.0.0.0/8`, with whatever host bits were written cut off; null when it is no range. */
export function rangeOfCidr(text: string): AddressRange | null {
  const [, address = '', length = ''] = /^([0-9A-Fa-f:.]{2,45})\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const bytes = addressBytes(address);
  if (bytes === null) return null;
  const family = bytes.length === 4 ? 4 : 6;
  const bits = Number(length);
  if (bits > bitsOf[family]) return null;
  const hostBits = BigInt(bitsOf[family] - bits);
  const first = (numberOf(bytes) >> hostBits) << hostBits;
  return { text, family, first, last: first + (1n << hostBits) - 1n };
}

export function covers(outer: AddressRange, inner: AddressRange): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

export function overlaps(left: AddressRange, right: AddressRange): boolean {
  return left.family === right.family && left.first <= right.last && right.first <= left.last;
}

export function isOneAddress(range: AddressRange): boolean {
  return range.first === range.last;
}
