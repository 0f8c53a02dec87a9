import { canonicalAddress, formatIpv6 } from '../addresses.ts';
import type { HeldPacket } from './messages.ts';

/** Who wants to be connected to whom, from the first bytes of a packet; null when it is no TCP over IPv4 or IPv6. */

const tcp = 6;
/** Headers of IPv6 that may stand before TCP: each says how long it is in units of 8 bytes beyond the first. */
const extensions: ReadonlySet<number> = new Set([0, 43, 60]);
const mostExtensions = 8;

type Ends = Pick<HeldPacket, 'from' | 'to'>;

function readEnds(bytes: Buffer, at: number, source: string, destination: string): Ends | null {
  if (at + 4 > bytes.length) return null;
  const [sourcePort, destinationPort] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
  if (sourcePort === 0 || destinationPort === 0) return null;
  return { from: { address: source, port: sourcePort }, to: { address: destination, port: destinationPort } };
}

function readIpv4(bytes: Buffer): Ends | null {
  const headerBytes = ((bytes[0] ?? 0) & 15) * 4;
  if (headerBytes < 20 || bytes.length < headerBytes || bytes[9] !== tcp) return null;
  return readEnds(bytes, headerBytes, bytes.subarray(12, 16).join('.'), bytes.subarray(16, 20).join('.'));
}

const ipv6At = (bytes: Buffer, at: number): string => canonicalAddress(formatIpv6(bytes.subarray(at, at + 16)));

function readIpv6(bytes: Buffer): Ends | null {
  if (bytes.length < 40) return null;
  let next = bytes[6] ?? 0;
  let at = 40;
  for (let count = 0; count < mostExtensions && extensions.has(next) && at + 2 <= bytes.length; count += 1) {
    next = bytes[at] ?? 0;
    at += ((bytes[at + 1] ?? 0) + 1) * 8;
  }
  if (next !== tcp) return null;
  return readEnds(bytes, at, ipv6At(bytes, 8), ipv6At(bytes, 24));
}

export function readFirstPacket(bytes: Buffer): Ends | null {
  const version = (bytes[0] ?? 0) >> 4;
  if (version === 4) return readIpv4(bytes);
  return version === 6 ? readIpv6(bytes) : null;
}
