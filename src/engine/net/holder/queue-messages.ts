import { readFirstPacket } from './first-packet.ts';
import type { HeldPacket, Verdict } from './messages.ts';

/**
 * The kernel's packet queue as netlink messages, all of them in the machine's own byte order but the queue's numbers:
 *
 *     length u32, type u16, flags u16, sequence u32, port u32 │ family u8, version u8, queue u16 (big endian) │ attributes
 *
 * and each attribute: length u16, type u16, data, rounded up to 4.
 */

const headerBytes = 16;
const familyBytes = 4;
const attributeBytes = 4;

const packetQueue = 3 << 8;
const types = { error: 2, packet: packetQueue, verdict: packetQueue | 1, configure: packetQueue | 2 } as const;
const flags = { request: 1, acknowledge: 4 } as const;
const attributes = { packetHeader: 1, verdictHeader: 2, mark: 3, payload: 10 } as const;
const settings = { command: 1, copy: 2, longest: 3 } as const;
const bind = 1;
const copyPacket = 2;
const kernelVerdicts = { accept: 1, drop: 0, reset: 1 } as const satisfies Readonly<Record<Verdict, number>>;
/** Attribute types carry two flags in their upper bits. */
const attributeType = 0x3fff;

const aligned = (length: number): number => (length + 3) & ~3;

function attribute(type: number, data: Buffer): Buffer {
  const bytes = Buffer.alloc(aligned(attributeBytes + data.length));
  bytes.writeUInt16LE(attributeBytes + data.length, 0);
  bytes.writeUInt16LE(type, 2);
  data.copy(bytes, attributeBytes);
  return bytes;
}

function big32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4);
  return bytes;
}

function message(type: number, flag: number, sequence: number, queue: number, parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(headerBytes + familyBytes);
  const bytes = Buffer.concat([head, ...parts]);
  bytes.writeUInt32LE(bytes.length, 0);
  bytes.writeUInt16LE(type, 4);
  bytes.writeUInt16LE(flag, 6);
  bytes.writeUInt32LE(sequence, 8);
  bytes.writeUInt16BE(queue, headerBytes + 2);
  return bytes;
}

export interface QueueSettings {
  readonly queue: number;
  /** Bytes of each packet that are handed over. */
  readonly copiedBytes: number;
  /** Packets that the kernel keeps at a time; it drops what comes on top. */
  readonly longest: number;
}

/** One after the other, each of which the kernel acknowledges with its number. */
export function bindMessages({ queue, copiedBytes, longest }: QueueSettings): readonly Buffer[] {
  const orders = [
    attribute(settings.command, Buffer.from([bind, 0, 0, 0])),
    attribute(settings.copy, Buffer.concat([big32(copiedBytes), Buffer.from([copyPacket])])),
    attribute(settings.longest, big32(longest)),
  ];
  return orders.map((order, at) => message(types.configure, flags.request | flags.acknowledge, at + 1, queue, [order]));
}

/** A reset is a packet that goes on with a mark, which a later rule answers. */
export function verdictMessage(queue: number, id: number, verdict: Verdict, resetMark: number): Buffer {
  const parts = [attribute(attributes.verdictHeader, big32(kernelVerdicts[verdict], id))];
  if (verdict === 'reset') parts.push(attribute(attributes.mark, big32(resetMark)));
  return message(types.verdict, flags.request, 0, queue, parts);
}

export type QueueReport =
  | { readonly is: 'packet'; readonly packet: HeldPacket }
  /** A packet that is no beginning of a connection: it cannot be judged, and must not stay in the queue. */
  | { readonly is: 'unreadable'; readonly id: number }
  /** What became of an order; 0 when it was carried out. */
  | { readonly is: 'answer'; readonly sequence: number; readonly errno: number };

function readAttributes(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + attributeBytes <= bytes.length; ) {
    const length = bytes.readUInt16LE(at);
    if (length < attributeBytes || at + length > bytes.length) break;
    found.set(bytes.readUInt16LE(at + 2) & attributeType, bytes.subarray(at + attributeBytes, at + length));
    at += aligned(length);
  }
  return found;
}

function readPacket(body: Buffer): QueueReport | null {
  const found = readAttributes(body.subarray(familyBytes));
  const header = found.get(attributes.packetHeader);
  if (header === undefined || header.length < 4) return null;
  const id = header.readUInt32BE(0);
  const ends = readFirstPacket(found.get(attributes.payload) ?? Buffer.alloc(0));
  return ends === null ? { is: 'unreadable', id } : { is: 'packet', packet: { id, ...ends } };
}

function readAnswer(bytes: Buffer, body: Buffer): QueueReport | null {
  if (body.length < 4) return null;
  return { is: 'answer', sequence: bytes.readUInt32LE(8), errno: Math.abs(body.readInt32LE(0)) };
}

/** All that one read of the socket gave. What cannot be read is passed over. */
export function readReports(bytes: Buffer): readonly QueueReport[] {
  const reports: QueueReport[] = [];
  for (let at = 0; at + headerBytes <= bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    if (length < headerBytes || at + length > bytes.length) break;
    const one = bytes.subarray(at, at + length);
    const body = one.subarray(headerBytes);
    const type = one.readUInt16LE(4);
    const report = type === types.packet ? readPacket(body) : type === types.error ? readAnswer(one, body) : null;
    if (report !== null) reports.push(report);
    at += aligned(length);
  }
  return reports;
}
