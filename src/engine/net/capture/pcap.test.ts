import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PcapReader } from './pcap-reader.ts';
import { interfaceBlock, packetBlock, secretsBlock, sectionBlock } from './pcapng.ts';

function header(magic = 0xa1b2_3c4d, linkType = 1): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32LE(magic, 0);
  bytes.writeUInt32LE(linkType, 20);
  return bytes;
}

function record(seconds: number, fraction: number, data: Buffer): Buffer {
  const bytes = Buffer.alloc(16);
  [seconds, fraction, data.length, data.length + 10].forEach((value, at) => {
    bytes.writeUInt32LE(value, at * 4);
  });
  return Buffer.concat([bytes, data]);
}

describe('PcapReader', () => {
  const packets = [Buffer.from('one'), Buffer.from('second'), Buffer.alloc(0)];
  const stream = Buffer.concat([header(), ...packets.map((data, at) => record(at + 1, 5, data))]);

  it('reads packets in whatever pieces they arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const reader = new PcapReader();
        const read: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          read.push(...reader.take(stream.subarray(at, at + size)).map(({ bytes }) => Buffer.from(bytes)));
          at += size;
        }
        expect(read).toEqual(packets);
        expect(reader.linkType).toBe(1);
      }),
    );
  });

  it.each([
    [0xa1b2_3c4d, 1_000_000_005n],
    [0xa1b2_c3d4, 1_000_005_000n],
  ])('reads the time of magic %i', (magic, expected) => {
    const [packet] = new PcapReader().take(Buffer.concat([header(magic), record(1, 5, Buffer.from('x'))]));
    expect(packet).toMatchObject({ wallNs: expected, originalBytes: 11 });
  });

  it.each([
    ['another format', header(0x0a0d_0d0a)],
    ['a packet of an impossible size', Buffer.concat([header(), Buffer.alloc(8, 0), Buffer.alloc(8, 0xff)])],
  ])('stops at %s', (_, bytes) => {
    const reader = new PcapReader();
    expect(reader.take(bytes)).toEqual([]);
    expect(reader.problem).not.toBeNull();
    expect(reader.take(stream)).toEqual([]);
  });
});

describe('pcapng blocks', () => {
  it.each([
    ['section', sectionBlock('a comment'), 0x0a0d_0d0a],
    ['interface', interfaceBlock(1, 'wire', 65_536), 1],
    ['packet', packetBlock(5n, Buffer.from('abc'), 3), 6],
    ['secrets', secretsBlock('CLIENT_RANDOM a b\n'), 10],
  ])('%s has its length at both ends', (_, bytes, type) => {
    expect(bytes.length % 4).toBe(0);
    expect([bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(bytes.length - 4)]).toEqual([
      type,
      bytes.length,
      bytes.length,
    ]);
  });
});
