import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unfilter } from './filters.ts';
import { readValue } from './tokens.ts';
import { isDictionary } from './values.ts';

const run = (dictionary: string, data: Uint8Array, most = 10_000) => {
  const { value } = readValue({ bytes: Buffer.from(dictionary, 'latin1'), budget: 1000 }, 0);
  if (!isDictionary(value)) throw new Error('not a dictionary');
  const { bytes, ...rest } = unfilter(data, value, (one) => one, most);
  return { hex: Buffer.from(bytes).toString('hex'), ...rest };
};
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('filters', () => {
  it.each([
    // The example of the standard.
    ['LZW', '<</Filter/LZWDecode>>', hex('80 0B 60 50 22 0C 0C 85 01'), '2d2d2d2d2d412d2d2d42'],
    ['hex', '<</Filter/ASCIIHexDecode>>', Buffer.from('61 62\n6>zz'), '616260'],
    ['base 85', '<</Filter/A85>>', Buffer.from('z87cURDZ~>'), '0000000048656c6c6f'],
    ['run length', '<</Filter/RunLengthDecode>>', hex('02 414243 fe 44 80 99'), '414243444444'],
    ['hex over flate', '<</Filter[/AHx/Fl]>>', Buffer.from(deflateSync(hex('0102')).toString('hex')), '0102'],
    [
      'TIFF predictor',
      '<</Filter/Fl/DecodeParms<</Predictor 2/Columns 4>>>>',
      deflateSync(hex('01010101')),
      '01020304',
    ],
    [
      'Paeth predictor',
      '<</Filter/Fl/DecodeParms<</Predictor 15/Columns 2>>>>',
      deflateSync(hex('04 0a01 04 0102')),
      '0a0b0b0d',
    ],
  ])('%s', (_name, dictionary, data, expected) => {
    expect(run(dictionary, data).hex).toBe(expected);
  });

  it('stops at pictures, at the limit and at damage', () => {
    expect(run('<</Filter/DCTDecode>>', hex('ff'))).toMatchObject({ hex: 'ff', stoppedAt: 'DCTDecode' });
    expect(run('<</Filter/Fl>>', deflateSync(Buffer.alloc(1_000_000)), 1000)).toMatchObject({
      problem: 'Fl: larger than the limit',
    });
    expect(run('<</Filter/Fl>>', Buffer.from('this was never packed'))).toMatchObject({
      problem: 'Fl: damaged compressed data',
    });
    const long = deflateSync(Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index) & 255)));
    long.fill(0xff, long.length - 40);
    expect(run('<</Filter/Fl>>', long).hex.length).toBeGreaterThan(100);
  });
});
