import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base32Cores, base64Cores, encodeBase32, reverse, rot13, utf16Core } from './encodings.ts';

const needle = fc.uint8Array({ minLength: 16, maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const beside = fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes));

describe('encodings', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('base32 of %j is %s', (bytes, digits) => {
    expect(encodeBase32(Buffer.from(bytes))).toBe(digits);
  });

  it('one core is in the encoding of anything that has the needle in it', () => {
    fc.assert(
      fc.property(needle, beside, beside, (bytes, before, after) => {
        const whole = Buffer.concat([before, bytes, after]);
        expect(base64Cores(bytes).some((core) => whole.toString('base64').includes(core))).toBe(true);
        expect(base32Cores(bytes).some((core) => encodeBase32(whole).includes(core))).toBe(true);
      }),
    );
  });

  it('cores lose nothing but the digits at the ends', () => {
    for (const core of base64Cores(Buffer.alloc(30, 'x'))) expect(core.length).toBeGreaterThanOrEqual(39);
    for (const core of base32Cores(Buffer.alloc(30, 'x'))) expect(core.length).toBeGreaterThanOrEqual(46);
  });

  it('what is done twice is undone', () => {
    fc.assert(
      fc.property(needle, (bytes) => {
        expect(reverse(reverse(bytes)).equals(bytes)).toBe(true);
        expect(rot13(rot13(bytes)).equals(bytes)).toBe(true);
      }),
    );
    expect(rot13(Buffer.from('Hello, 42 [World]')).toString()).toBe('Uryyb, 42 [Jbeyq]');
  });

  it('UTF-16 looks the same in both byte orders', () => {
    const little = Buffer.from('token', 'utf16le');
    const core = utf16Core(Buffer.from('token'));
    expect(little.includes(core)).toBe(true);
    expect(little.swap16().includes(core)).toBe(true);
  });
});
