import { describe, expect, it } from 'vitest';
import { makeByteView } from './byte-view.ts';

describe('byte view', () => {
  const view = makeByteView(Buffer.from('0102030405060708414200430044', 'hex'), true);
  it.each([
    ['a byte', view.u8(0), 1],
    ['a byte outside', view.u8(99), 0],
    ['two bytes', view.u16(0), 0x0201],
    ['two bytes over the end', view.u16(13), 0],
    ['four bytes', view.u32(4), 0x08070605],
    ['eight bytes', view.u64(0), 0x0807060504030201n],
    ['bytes before the beginning', view.slice(-4, 8).length, 0],
    ['text up to a zero', view.cString(8, 50), 'AB'],
    ['text of whole units only', view.utf16(9, 4), 'BC'],
    ['text of an odd number of bytes at an odd place', view.utf16(9, 5), 'BC'],
    ['text over the end', view.utf16(9, 500), 'BC'],
    ['text behind the end', view.utf16(500, 4), ''],
  ])('%s', (_name, value, expected) => {
    expect(value).toBe(expected);
  });

  it('reads the other byte order', () => {
    expect(makeByteView(Buffer.from([1, 2]), false).u16(0)).toBe(0x0102);
  });
});
