import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDescribed, readListing, readTime, readType, toBinary } from './entries.ts';

describe('entries', () => {
  it.each([
    [0o100644, 'file'],
    [0o040755, 'folder'],
    [0o120777, 'link'],
    [0o020666, 'other'],
    [0o060660, 'other'],
    [0o010644, 'other'],
    [0o140755, 'other'],
  ])('reads the type of %d', (mode, type) => {
    expect(readType(mode)).toBe(type);
  });

  it('is not led astray by a name that looks like lines', () => {
    const names = ['a\n81a4 1 1 b', 'b', 'gone', 'é'].map(toBinary);
    const lines = `81a4 5 10 ${names[0]}\na1ff 3 20 b\n41ed 4096 -1 ${names[3]}\n\0b\0x\ny \0`;
    expect(readDescribed(lines, names)).toEqual([
      { name: 'a\n81a4 1 1 b', type: 'file', sizeBytes: 5, mode: 0o644, changedAt: '1970-01-01T00:00:10.000Z' },
      {
        name: 'b',
        type: 'link',
        sizeBytes: 3,
        mode: 0o777,
        changedAt: '1970-01-01T00:00:20.000Z',
        linkTarget: 'x\ny ',
      },
      { name: 'é', type: 'folder', sizeBytes: 4096, mode: 0o755, changedAt: '1969-12-31T23:59:59.000Z' },
    ]);
  });

  it.each([
    ['names\0\0', { names: [], described: undefined }],
    ['names\0a\0b\0\0', { names: ['a', 'b'], described: undefined }],
    ['names\0a\0\0lines\0', { names: ['a'], described: 'lines\0' }],
    ['names\0a', undefined],
    ['nothing', undefined],
  ])('reads a listing: %j', (text, wanted) => {
    expect(readListing(text)).toEqual(wanted);
  });

  it('gives a time no calendar has as the first one', () => {
    expect(readTime(Number.POSITIVE_INFINITY)).toBe('1970-01-01T00:00:00.000Z');
  });

  it('takes any answer at all', () => {
    const piece = fc.oneof(
      fc.constantFrom('81a4 1 1 a\n', '\0', 'names\0', 'a', '\n', '99999999 1 1 a\n'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.string(), { maxLength: 4 }), (parts, names) => {
        readListing(parts.join(''));
        expect(readDescribed(parts.join(''), ['a', ...names]).length).toBeLessThanOrEqual(names.length + 1);
      }),
      { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) },
    );
  });
});
