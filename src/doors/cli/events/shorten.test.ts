import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../terminal/index.ts';
import { cellsOf, cutEnd, shortenPath, takeEnd, takeStart } from './shorten.ts';

describe('shortenPath', () => {
  const table: readonly [string, number, string][] = [
    ['/a/b/c.txt', 20, '/a/b/c.txt'],
    ['/work/some/long/folder/file.txt', 20, '/work/some…/file.txt'],
    ['/work/some/long/folder/file.txt', 13, '/wo…/file.txt'],
    ['/work/some/long/folder/file.txt', 9, '/wor….txt'],
    ['a-name-without-any-folder.txt', 11, 'a-nam…r.txt'],
    ['/work/some/long/folder/', 14, '/work…/folder/'],
    ['/漢字漢字漢字漢字/漢.txt', 13, '/漢字…/漢.txt'],
    ['/a/b', 1, '…'],
    ['/a/b', 0, ''],
  ];
  it.each(table)('%s in %d cells', (path, cells, expected) => {
    expect(shortenPath(path, cells, '…')).toBe(expected);
  });
});

describe('cutEnd', () => {
  const table: readonly [string, number, string, string][] = [
    ['abc', 3, '…', 'abc'],
    ['abcd', 3, '…', 'ab…'],
    ['ab cd', 4, '…', 'ab…'],
    ['abcdef', 5, '...', 'ab...'],
    ['abcdef', 2, '...', '..'],
    ['漢字漢', 5, '…', '漢字…'],
  ];
  it.each(table)('%s in %d cells', (text, cells, ellipsis, expected) => {
    expect(cutEnd(text, cells, ellipsis)).toBe(expected);
  });
});

it('nothing is ever longer than asked for', () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constant('/漢/字/😀'.repeat(9)));
  fc.assert(
    fc.property(anyText, fc.nat(60), fc.constantFrom('…', '...'), (raw, cells, ellipsis) => {
      const text = raw.replace(/\p{Cc}/gu, '?');
      expect(cellsOf(text)).toBe(displayWidth(text));
      for (const short of [shortenPath(text, cells, ellipsis), cutEnd(text, cells, ellipsis)]) {
        expect(displayWidth(short)).toBeLessThanOrEqual(cells);
        if (displayWidth(text) <= cells) expect(short).toBe(text);
      }
      expect(text.startsWith(takeStart(text, cells))).toBe(true);
      expect(text.endsWith(takeEnd(text, cells))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
