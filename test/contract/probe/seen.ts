import { readFileSync } from 'node:fs';
import { PcapReader } from '../../../src/engine/net/capture/pcap-reader.ts';
import { hardware, mark } from './places.ts';

/** What was sent over the wire, out of `outer`. */
export interface Seen {
  /** Where it went; of questions about a neighbour, the neighbour. */
  readonly to: string;
  readonly protocol: string;
  /** Null for what has none. */
  readonly port: number | null;
  readonly packets: number;
}

const protocols: Readonly<Record<number, string>> = { 1: 'icmp', 6: 'tcp', 17: 'udp', 58: 'icmpv6', 132: 'sctp' };
const protocolName = (number: number): string => protocols[number] ?? `protocol ${number}`;

const dotted = (bytes: Uint8Array): string => [...bytes].join('.');

/** As URL writes it, which is the usual short form. */
export function shortIpv6(bytes: Buffer): string {
  const words = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1);
}

type Sent = Omit<Seen, 'packets'>;

const portOf = (protocol: number, payload: Buffer): number | null =>
  [6, 17, 132].includes(protocol) && payload.length >= 4 ? payload.readUInt16BE(2) : null;

function readIpv4(packet: Buffer): Sent | null {
  if (packet.length < 20) return null;
  const protocol = packet[9] ?? 0;
  const payload = packet.subarray(((packet[0] ?? 0) & 0x0f) * 4);
  return { to: dotted(packet.subarray(16, 20)), protocol: protocolName(protocol), port: portOf(protocol, payload) };
}

/** Those that the kernel itself sends when a link comes up: reports about groups (RFC 3810). */
const groupReports = new Set([131, 132, 143]);
const hopByHop = 0;

function readIpv6(packet: Buffer): Sent | null {
  if (packet.length < 40) return null;
  let [protocol, payload] = [packet[6] ?? 0, packet.subarray(40)];
  if (protocol === hopByHop && payload.length >= 8) {
    [protocol, payload] = [payload[0] ?? 0, payload.subarray(((payload[1] ?? 0) + 1) * 8)];
  }
  const type = payload[0] ?? 0;
  if (protocol === 58 && groupReports.has(type)) return null;
  if (protocol === 58 && type === 135 && payload.length >= 24) {
    return { to: shortIpv6(payload.subarray(8, 24)), protocol: 'neighbour', port: null };
  }
  return { to: shortIpv6(packet.subarray(24, 40)), protocol: protocolName(protocol), port: portOf(protocol, payload) };
}

function readArp(packet: Buffer): Sent | null {
  const isQuestion = packet.length >= 28 && packet.readUInt16BE(6) === 1;
  return isQuestion ? { to: dotted(packet.subarray(24, 28)), protocol: 'arp', port: null } : null;
}

const readers: Readonly<Record<number, (packet: Buffer) => Sent | null>> = {
  2048: readIpv4,
  34525: readIpv6,
  2054: readArp,
};

/** Everything that `there` did not send itself: whoever makes up a sender is seen all the same. */
function readFrame(frame: Buffer): Sent | null {
  if (frame.length < 14 || frame.toString('hex', 6, 12) === hardware.there.replaceAll(':', '')) return null;
  const type = frame.readUInt16BE(12);
  const reader = readers[type];
  return reader === undefined
    ? { to: frame.toString('hex', 0, 6), protocol: `frame ${type.toString(16)}`, port: null }
    : reader(frame.subarray(14));
}

export interface CaptureRead {
  readonly seen: readonly Seen[];
  readonly hasMark: boolean;
}

/** Reads what is in the file by now. `sign` is the text of the last mark. */
export function readCapture(file: string, sign: string): CaptureRead {
  const reader = new PcapReader();
  const counts = new Map<string, Seen>();
  let hasMark = false;
  for (const { bytes } of reader.take(readFileSync(file))) {
    const sent = readFrame(bytes);
    if (sent === null) continue;
    if (sent.to === mark.address) {
      hasMark ||= bytes.includes(sign);
      continue;
    }
    const key = `${sent.to} ${sent.protocol} ${sent.port}`;
    counts.set(key, { ...sent, packets: (counts.get(key)?.packets ?? 0) + 1 });
  }
  if (reader.problem !== null) throw new Error(`the capture cannot be read: ${reader.problem}`);
  return { seen: [...counts.values()], hasMark };
}

interface CounterElement {
  readonly elem?: {
    readonly val?: { readonly concat?: readonly [string, string] };
    readonly counter?: { readonly packets?: number };
  };
}

/** From `nft -j list set`: packets by address. */
export function readCounters(text: string): ReadonlyMap<string, number> {
  const { nftables } = JSON.parse(text) as {
    readonly nftables: readonly { readonly set?: { readonly elem?: readonly CounterElement[] } }[];
  };
  const packets = new Map<string, number>();
  for (const { elem } of nftables.flatMap(({ set }) => set?.elem ?? [])) {
    const [address] = elem?.val?.concat ?? [];
    if (address !== undefined) packets.set(address, (packets.get(address) ?? 0) + (elem?.counter?.packets ?? 0));
  }
  return packets;
}
