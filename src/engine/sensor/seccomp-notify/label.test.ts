import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelBytes, labelOf, nameOf, splitArguments } from './label.ts';

describe('labels', () => {
  it.each([
    ['/usr/bin/node', 'node'],
    ['node', 'node'],
    ['/a/', ''],
    ['/0123456789abcdefg', '0123456789abcde'],
  ])('the name of %s', (path, name) => {
    expect(nameOf(Buffer.from(path)).toString()).toBe(name);
  });

  it.each([
    ['', []],
    ['a\0', ['a']],
    ['a\0\0b\0', ['a', '', 'b']],
    ['a\0b', ['a', 'b']],
  ])('the arguments %j', (bytes, list) => {
    expect(splitArguments(Buffer.from(bytes)).map(String)).toEqual(list);
  });

  it('are short whatever the arguments are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 50 }), (argv) => {
        const { argv: kept = [] } = labelOf(1, 0, Buffer.from('x'), argv.map(Buffer.from));
        expect(JSON.stringify(kept).length).toBeLessThan(labelBytes * 6 + 32 * 64);
      }),
    );
  });
});
