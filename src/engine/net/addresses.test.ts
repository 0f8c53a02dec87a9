import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressBytes, canonicalAddress, formatIpv6 } from './addresses.ts';

describe('addresses', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::ffff:102:304', '1.2.3.4'],
    ['::1.2.3.4', '::102:304'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['example.com', 'example.com'],
    ['', ''],
  ])('%j is spelled %j', (given, expected) => {
    expect(canonicalAddress(given)).toBe(expected);
  });

  it('come back from their bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        expect(addressBytes(formatIpv6(bytes))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each(['1.2.3', '1.2.3.4.5', '::g', 'fe80::1%lo', 'localhost', '0x7f.1'])('%j has no bytes', (text) => {
    expect(addressBytes(text)).toBeNull();
  });
});
