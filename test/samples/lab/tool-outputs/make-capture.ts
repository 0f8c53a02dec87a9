/** A capture of five packets: a DNS question with its answer, and a TLS greeting. */

const client = [10, 0, 0, 1];
const resolver = [192, 0, 2, 53];
const server = [192, 0, 2, 7];

const u16 = (value: number): number[] => [value >> 8, value & 255];
const u32 = (value: number): number[] => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const text = (value: string): number[] => [...Buffer.from(value, 'latin1')];

function ip(protocol: number, from: readonly number[], to: readonly number[], payload: readonly number[]): number[] {
  const header = [0x45, 0, ...u16(20 + payload.length), 0, 1, 0, 0, 64, protocol, 0, 0, ...from, ...to];
  return [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0, ...header, ...payload];
}

const udp = (from: number, to: number, payload: readonly number[]): number[] => [
  ...u16(from),
  ...u16(to),
  ...u16(8 + payload.length),
  0,
  0,
  ...payload,
];

const tcp = (
  from: number,
  to: number,
  sequence: number,
  acknowledged: number,
  flags: number,
  payload: readonly number[] = [],
): number[] => [
  ...[...u16(from), ...u16(to), ...u32(sequence), ...u32(acknowledged)],
  ...[0x50, flags, ...u16(1000), 0, 0, 0, 0, ...payload],
];

const name = (value: string): number[] => [...value.split('.').flatMap((label) => [label.length, ...text(label)]), 0];
const question = [...name('www.example.com'), 0, 1, 0, 1];
const answer = [0xc0, 0x0c, 0, 1, 0, 1, ...u32(60), 0, 4, ...server];

function greeting(host: string): number[] {
  const extension = [0, 0, ...u16(host.length + 5), ...u16(host.length + 3), 0, ...u16(host.length), ...text(host)];
  const body = [3, 3, ...text('R'.repeat(32)), 0, 0, 2, 0x13, 1, 1, 0, ...u16(extension.length), ...extension];
  const handshake = [1, ...u32(body.length).slice(1), ...body];
  return [0x16, 3, 1, ...u16(handshake.length), ...handshake];
}

export function makeCapture(): Buffer {
  const packets = [
    ip(17, client, resolver, udp(4000, 53, [0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...question])),
    ip(17, resolver, client, udp(53, 4000, [0, 7, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, ...question, ...answer])),
    ip(6, client, server, tcp(5000, 443, 1, 0, 2)),
    ip(6, server, client, tcp(443, 5000, 1, 2, 0x12)),
    ip(6, client, server, tcp(5000, 443, 2, 2, 0x18, greeting('tls.example.com'))),
  ];
  const parts = packets.map((packet, at) => {
    const header = Buffer.alloc(16);
    header.writeUInt32LE(1_700_000_000 + at, 0);
    header.writeUInt32LE(packet.length, 8);
    header.writeUInt32LE(packet.length, 12);
    return Buffer.concat([header, Buffer.from(packet)]);
  });
  return Buffer.concat([Buffer.from('d4c3b2a1020004000000000000000000ffff000001000000', 'hex'), ...parts]);
}
