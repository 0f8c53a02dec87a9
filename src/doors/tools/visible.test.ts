import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible } from './visible.ts';

describe('visible', () => {
  it.each([
    [{ a: 'x\u001b[2J' }, { a: 'x\\x1b[2J' }],
    [{ name: { text: 'a\u202eb' } }, { name: { untrusted: 'a\\u{202e}b' } }],
    [{ name: { base64: Buffer.from([0xff, 0x41]).toString('base64') } }, { name: { untrusted: '\\xffA' } }],
    [{ name: { text: 'abc', droppedBytes: 7 } }, { name: { untrusted: 'abc […7 bytes more]' } }],
    [{ name: { text: 'own word', other: 1 } }, { name: { text: 'own word', other: 1 } }],
    [{ list: [1, null, true, { text: 'x' }] }, { list: [1, null, true, { untrusted: 'x' }] }],
    [{ gone: undefined, kept: 'line\nline' }, { kept: 'line\nline' }],
    [{ 'k\u0007': 1 }, { 'k\\x07': 1 }],
  ])('%j', (value, shown) => {
    expect(visible(value)).toEqual(shown);
  });

  it('cuts what is long, and says so', () => {
    expect(visible({ a: 'x'.repeat(50) }, 10)).toEqual({ a: 'xxxxxxxxxx […40 bytes more]' });
  });

  it('leaves nothing in that cannot be seen', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })), (value) => {
        expect(JSON.stringify(visible(value))).not.toMatch(/[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e]/);
      }),
    );
  });
});
