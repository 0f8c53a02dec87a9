import { describe, expect, it } from 'vitest';
import { attempt, makeReader, OutOfBounds } from './reader.ts';

const bytes = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 0x41, 0x42, 0, 0x43]);

describe('reader', () => {
  it('reads both byte orders', () => {
    const little = makeReader(bytes);
    const big = makeReader(bytes, 'big');
    expect([little.u8(1), little.u16(0), little.u32(0), little.u64(0)]).toEqual([
      2,
      0x0201,
      0x04030201,
      0x0807060504030201n,
    ]);
    expect([big.u16(0), big.u32(0), big.u64(0), big.size64(0)]).toEqual([
      0x0102,
      0x01020304,
      0x0102030405060708n,
      Number(0x0102030405060708n),
    ]);
    expect(makeReader(Uint8Array.from([255, 255, 255, 255])).i32(0)).toBe(-1);
  });

  it('honours the offset of a view', () => {
    expect(makeReader(bytes.subarray(2, 4)).u16(0)).toBe(0x0403);
    expect(() => makeReader(bytes.subarray(2, 4)).u32(0)).toThrow(OutOfBounds);
  });

  it('reads texts up to zero, cap and end', () => {
    const reader = makeReader(bytes);
    expect([reader.cString(8), reader.cString(8, 1), reader.cString(11), reader.latin1(8, 2)]).toEqual([
      'AB',
      'A',
      'C',
      'AB',
    ]);
    expect(reader.utf16(8, 1)).toBe('\u4241');
  });

  it.each([-1, 12, 0.5, Number.NaN, 2 ** 60])('refuses offset %s', (at) => {
    const reader = makeReader(bytes);
    for (const read of [() => reader.u8(at), () => reader.slice(at, 1), () => reader.cString(at)])
      expect(read).toThrow(OutOfBounds);
    expect(attempt(() => reader.u8(at))).toBeUndefined();
  });

  it('cuts instead of throwing where asked', () => {
    const reader = makeReader(bytes);
    expect([reader.cut(10, 99).length, reader.cut(99, 5).length, reader.cut(-3, 5).length]).toEqual([2, 0, 2]);
  });

  it('lets other errors through', () => {
    expect(() =>
      attempt(() => {
        throw new RangeError('time');
      }),
    ).toThrow(RangeError);
  });
});
