import { makeByteView } from '../byte-view.ts';
import type { Packet } from './capture.ts';

/** From the wire to TCP and UDP. */
export interface Datagram {
  readonly time: number;
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'other';
  readonly source: string;
  readonly target: string;
  readonly sourcePort: number;
  readonly targetPort: number;
  readonly payload: Uint8Array;
  /** As long as it was on the wire. */
  readonly length: number;
  readonly sequence: number;
  readonly flags: number;
}

export const tcpFlags = { fin: 1, syn: 2, rst: 4, ack: 16 } as const;

type Located = { readonly type: number; readonly at: number };

const etherTypes = { ipv4: 0x0800, ipv6: 0x86dd } as const;

function afterEthernet(data: Uint8Array): Located {
  let at = 12;
  for (let tags = 0; tags < 4; tags += 1) {
    const type = ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);
    if (type !== 0x8100 && type !== 0x88a8) return { type, at: at + 2 };
    at += 4;
  }
  return { type: 0, at };
}

function byVersion(data: Uint8Array, at: number): Located {
  const version = (data[at] ?? 0) >> 4;
  return { type: version === 4 ? etherTypes.ipv4 : version === 6 ? etherTypes.ipv6 : 0, at };
}

/** Where the network layer begins, for each kind of link. */
const links: Readonly<Record<number, (data: Uint8Array) => Located>> = {
  0: (data) => byVersion(data, 4),
  1: afterEthernet,
  12: (data) => byVersion(data, 0),
  14: (data) => byVersion(data, 0),
  101: (data) => byVersion(data, 0),
  108: (data) => byVersion(data, 4),
  113: (data) => ({ type: ((data[14] ?? 0) << 8) | (data[15] ?? 0), at: 16 }),
  228: (data) => byVersion(data, 0),
  229: (data) => byVersion(data, 0),
  276: (data) => ({ type: ((data[0] ?? 0) << 8) | (data[1] ?? 0), at: 20 }),
};

export function isKnownLink(linkType: number): boolean {
  return links[linkType] !== undefined;
}

function v6Text(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  const text = groups.join(':');
  const zeros = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].sort(
    (left, right) => right[0].length - left[0].length,
  )[0];
  if (zeros === undefined) return text;
  return `${text.slice(0, zeros.index)}::${text.slice(zeros.index + zeros[0].length + 1)}`;
}

interface NetworkLayer {
  readonly source: string;
  readonly target: string;
  readonly next: number;
  readonly body: Uint8Array;
}

function readV4(data: Uint8Array): NetworkLayer | undefined {
  const header = ((data[0] ?? 0) & 15) * 4;
  const total = ((data[2] ?? 0) << 8) | (data[3] ?? 0);
  if (header < 20 || data.length < header) return undefined;
  // Fragments that are not the first have no ports.
  const fragment = (((data[6] ?? 0) & 0x1f) << 8) | (data[7] ?? 0);
  return {
    source: Array.from(data.subarray(12, 16)).join('.'),
    target: Array.from(data.subarray(16, 20)).join('.'),
    next: fragment === 0 ? (data[9] ?? 0) : 255,
    // Offloading leaves the length empty.
    body: data.subarray(header, total === 0 ? data.length : Math.max(header, total)),
  };
}

function readV6(data: Uint8Array): NetworkLayer | undefined {
  if (data.length < 40) return undefined;
  const length = ((data[4] ?? 0) << 8) | (data[5] ?? 0);
  let next = data[6] ?? 59;
  let at = 40;
  for (let extensions = 0; extensions < 8 && [0, 43, 60].includes(next); extensions += 1) {
    next = data[at] ?? 59;
    at += ((data[at + 1] ?? 0) + 1) * 8;
  }
  return {
    source: v6Text(data.subarray(8, 24)),
    target: v6Text(data.subarray(24, 40)),
    next,
    body: data.subarray(at, length === 0 ? data.length : 40 + length),
  };
}

export function readDatagram({ data, linkType, time, originalLength }: Packet): Datagram | undefined {
  const located = links[linkType]?.(data);
  if (located === undefined) return undefined;
  const inner = data.subarray(located.at);
  const layer =
    located.type === etherTypes.ipv4 ? readV4(inner) : located.type === etherTypes.ipv6 ? readV6(inner) : undefined;
  if (layer === undefined) return undefined;
  const { source, target, next, body } = layer;
  const view = makeByteView(body, false);
  const common = { time, source, target, length: originalLength, sourcePort: view.u16(0), targetPort: view.u16(2) };
  if (next === 6 && body.length >= 20) {
    return {
      ...common,
      protocol: 'tcp',
      payload: body.subarray(Math.max(20, (view.u8(12) >> 4) * 4)),
      sequence: view.u32(4),
      flags: view.u8(13),
    };
  }
  if (next === 17 && body.length >= 8) {
    return {
      ...common,
      protocol: 'udp',
      payload: body.subarray(8, Math.max(8, view.u16(4) || body.length)),
      sequence: 0,
      flags: 0,
    };
  }
  const protocol = next === 1 || next === 58 ? 'icmp' : 'other';
  return { ...common, protocol, sourcePort: 0, targetPort: 0, payload: body, sequence: 0, flags: 0 };
}
