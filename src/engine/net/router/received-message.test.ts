import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readControl, readSocketAddress } from './received-message.ts';

function control(level: number, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.writeBigUInt64LE(BigInt(16 + data.length), 0);
  head.writeInt32LE(level, 8);
  head.writeInt32LE(type, 12);
  return Buffer.concat([head, data, Buffer.alloc((8 - (data.length % 8)) % 8)]);
}

const ipv4 = Buffer.from(`0200003501020304${'00'.repeat(8)}`, 'hex');
const ipv6 = Buffer.from(`0a00003500000000${'20010db8000000000000000000000005'}00000000`, 'hex');

describe('readSocketAddress', () => {
  it.each([
    ['IPv4', ipv4, { address: '1.2.3.4', port: 53 }],
    ['IPv6', ipv6, { address: '2001:db8::5', port: 53 }],
    ['another family', Buffer.from('0100003501020304', 'hex'), null],
    ['half an IPv6 address', ipv6.subarray(0, 20), null],
    ['nothing', Buffer.alloc(0), null],
  ])('reads %s', (_, bytes, expected) => {
    expect(readSocketAddress(bytes)).toEqual(expected);
  });
});

describe('readControl', () => {
  it('finds the asked address and the count of what was dropped', () => {
    const bytes = Buffer.concat([control(1, 40, Buffer.from([7, 0, 0, 0])), control(0, 20, ipv4)]);
    expect(readControl(bytes)).toEqual({ asked: { address: '1.2.3.4', port: 53 }, overflowed: 7 });
    expect(readControl(control(41, 74, ipv6))).toEqual({
      asked: { address: '2001:db8::5', port: 53 },
      overflowed: null,
    });
  });

  it('stops at a length that cannot be', () => {
    const wrong = control(0, 20, ipv4);
    wrong.writeBigUInt64LE(0n, 0);
    expect(readControl(Buffer.concat([wrong, control(0, 20, ipv4)]))).toEqual({ asked: null, overflowed: null });
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 256 }), (bytes) => {
        readControl(Buffer.from(bytes));
      }),
      { numRuns: 2000 },
    );
  });
});
