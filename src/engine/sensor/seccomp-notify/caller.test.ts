import { describe, expect, it } from 'vitest';
import { addressFrom } from './caller.ts';

describe('addressFrom', () => {
  const arm64 = 0x00ff_ffff;
  it.each([
    [0x1000, 0, arm64, 0x1000],
    [0xffff_f000, 0x7fff, arm64, 0x7fff_ffff_f000],
    [0x1000, 0xab00_0001, arm64, 0x1_0000_1000],
    [0x1000, 0xffff_ffff, 0x81ff_ffff, Number.NaN],
    [0x1000, 0x7e00_0001, 0x81ff_ffff, 0x1_0000_1000],
  ])('%i, %i', (low, high, mask, expected) => {
    expect(addressFrom(low, high, mask)).toBe(expected);
  });
});
