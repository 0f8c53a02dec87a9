import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyedHash } from './keyed-hash.ts';

describe('keyedHash', () => {
  it('is the second vector of RFC 4231', () => {
    const digest = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(keyedHash(Buffer.from('Jefe'))('what do ya want for nothing?')).toBe(digest);
  });

  it('is what an Hmac gives, whatever the key and the text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.oneof(fc.string(), fc.uint8Array()), (key, text) => {
        expect(keyedHash(key)(text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
      }),
    );
  });
});
