import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFirstPacket } from './first-packet.ts';
import { bindMessages, readReports, verdictMessage } from './queue-messages.ts';

const runs = { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) };
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

const ipv4 = hex(`
  4500 003c 1c46 4000 4006 0000 0ac8 0002 0808 0808
  9c40 01bb 0000 0001 0000 0000 a002 faf0 0000 0000`);
const ipv6 = hex(`
  6000 0000 0028 0640 fd00 0200 0000 0000 0000 0000 0000 0002 fd77 0000 0000 0000 0000 0000 0000 0010
  9c40 0050 0000 0001 0000 0000 a002 faf0 0000 0000`);
/** With destination options before TCP, 8 bytes of them. */
const ipv6Options = Buffer.concat([
  ipv6.subarray(0, 6),
  hex('3c40'),
  ipv6.subarray(8, 40),
  hex('0600 0104 0000 0000'),
  ipv6.subarray(40),
]);
/** With options of IPv4: a header of 24 bytes. */
const ipv4Options = Buffer.concat([hex('46'), ipv4.subarray(1, 20), hex('0101 0100'), ipv4.subarray(20)]);

describe('readFirstPacket', () => {
  it.each([
    ['IPv4', ipv4, '10.200.0.2 40000 8.8.8.8 443'],
    ['IPv4 with options', ipv4Options, '10.200.0.2 40000 8.8.8.8 443'],
    ['IPv6', ipv6, 'fd00:200::2 40000 fd77::10 80'],
    ['IPv6 with options', ipv6Options, 'fd00:200::2 40000 fd77::10 80'],
    ['UDP', Buffer.concat([ipv4.subarray(0, 9), hex('11'), ipv4.subarray(10)]), null],
    ['half a header', ipv4.subarray(0, 19), null],
    ['no ports', ipv4.subarray(0, 22), null],
    ['port 0', Buffer.concat([ipv4.subarray(0, 22), hex('0000'), ipv4.subarray(24)]), null],
    ['half of IPv6', ipv6.subarray(0, 39), null],
    ['no version', hex('0000'), null],
    ['nothing', Buffer.alloc(0), null],
  ])('%s', (_, bytes, expected) => {
    const ends = readFirstPacket(bytes);
    const text = ends === null ? null : `${ends.from.address} ${ends.from.port} ${ends.to.address} ${ends.to.port}`;
    expect(text).toBe(expected);
  });

  it('meets any bytes with two ends or with nothing', () => {
    const anything = fc.tuple(fc.constantFrom(0x45, 0x4f, 0x60, 0), fc.uint8Array({ maxLength: 120 }));
    fc.assert(
      fc.property(anything, ([first, rest]) => {
        const ends = readFirstPacket(Buffer.from([first, ...rest]));
        expect(ends === null || (ends.from.port > 0 && ends.to.port > 0)).toBe(true);
      }),
      runs,
    );
  });
});

/** As the kernel tells of a packet: its header, an attribute that is of no interest, and its bytes. */
function packetMessage(id: number, payload: Buffer): Buffer {
  const attribute = (type: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(4 + data.length, 0);
    head.writeUInt16LE(type, 2);
    return Buffer.concat([head, data, Buffer.alloc(-data.length & 3)]);
  };
  const header = Buffer.alloc(7);
  header.writeUInt32BE(id);
  const body = [hex('02 00 0001'), attribute(1, header), attribute(5, hex('00000002')), attribute(10, payload)];
  const message = Buffer.concat([Buffer.alloc(16), ...body]);
  message.writeUInt32LE(message.length, 0);
  message.writeUInt16LE(0x300, 4);
  return message;
}

describe('readReports', () => {
  it('reads several packets of one read, and says which cannot be judged', () => {
    const bytes = Buffer.concat([packetMessage(7, ipv4), packetMessage(8, hex('4500')), packetMessage(9, ipv6)]);
    expect(readReports(bytes)).toMatchObject([
      { is: 'packet', packet: { id: 7, to: { address: '8.8.8.8', port: 443 } } },
      { is: 'unreadable', id: 8 },
      { is: 'packet', packet: { id: 9, to: { address: 'fd77::10', port: 80 } } },
    ]);
  });

  it('reads what became of an order', () => {
    const answer = hex('24000000 0200 0000 03000000 00000000 fdffffff 10000000 0203 0500 03000000 00000000');
    expect(readReports(answer)).toEqual([{ is: 'answer', sequence: 3, errno: 3 }]);
  });

  it('keeps what came before a message that is cut off', () => {
    const bytes = Buffer.concat([packetMessage(1, ipv4), packetMessage(2, ipv4).subarray(0, -1)]);
    expect(readReports(bytes).length).toBe(1);
  });

  it('meets any bytes, and any damage to real ones, without failing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        readReports(Buffer.from(bytes));
      }),
      runs,
    );
    const real = Buffer.concat([packetMessage(1, ipv4), packetMessage(2, ipv6Options)]);
    const damage = fc.array(fc.tuple(fc.nat(real.length - 1), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(damage, fc.nat(real.length), (changes, length) => {
        const bytes = Buffer.from(real);
        for (const [at, value] of changes) bytes[at] = value;
        expect(readReports(bytes.subarray(0, length)).length).toBeLessThanOrEqual(length / 16);
      }),
      runs,
    );
  });
});

describe('what is told to the kernel', () => {
  it.each([
    ['accept', '20000000 0103 0100 00000000 00000000 0000 0001 0c00 0200 00000001 0000002a'],
    ['drop', '20000000 0103 0100 00000000 00000000 0000 0001 0c00 0200 00000000 0000002a'],
    ['reset', '28000000 0103 0100 00000000 00000000 0000 0001 0c00 0200 00000001 0000002a 0800 0300 00000002'],
  ] as const)('%s', (verdict, expected) => {
    expect(verdictMessage(1, 42, verdict, 2).toString('hex')).toBe(hex(expected).toString('hex'));
  });

  it('takes the queue over, with acknowledgements that are numbered', () => {
    const messages = bindMessages({ queue: 1, copiedBytes: 256, longest: 1024 });
    expect(messages.map((each) => each.readUInt32LE(8))).toEqual([1, 2, 3]);
    expect(messages.every((each) => each.readUInt32LE(0) === each.length && each.length % 4 === 0)).toBe(true);
    expect(messages[1]?.subarray(20).toString('hex')).toBe('0900020000000100' + '02000000');
  });
});
