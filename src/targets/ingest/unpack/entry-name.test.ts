import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultUnpackLimits } from './contract.ts';
import { foldName, readEntryName, resolveLink } from './entry-name.ts';

describe('the name of an entry', () => {
  it.each<[string, 0 | 1, string | null]>([
    ['a/b.js', 0, 'a/b.js'],
    ['./a//b/./c', 0, 'a/b/c'],
    ['package/a', 1, 'a'],
    ['package/', 1, ''],
    ['package', 1, null],
    ['a', 1, null],
    ['..', 0, null],
    ['a/../b', 0, null],
    ['a/..', 0, null],
    ['...', 0, '...'],
    ['..a/b..', 0, '..a/b..'],
    ['/a', 0, null],
    ['\\a', 0, null],
    ['a\\b', 0, 'a/b'],
    ['a\\..\\b', 0, null],
    ['c:/a', 0, null],
    ['ab:/a', 0, 'ab:/a'],
    ['', 0, null],
    ['x'.repeat(256), 0, null],
    ['x'.repeat(255), 0, 'x'.repeat(255)],
    [`${'d/'.repeat(128)}x`, 0, null],
  ])('%s without %i folders', (name, strip, expected) => {
    const read = readEntryName(Buffer.from(name), defaultUnpackLimits, strip);
    expect('refused' in read ? null : read.parts.join('/')).toBe(expected);
  });

  it('never leads out, whatever the bytes', () => {
    const pieces = fc.constantFrom('..', '/', '\\', '.', 'a', '\0', 'C:', '\u2024', '\uff0f', '%2e');
    const names = fc.oneof(
      fc.uint8Array(),
      fc.array(pieces).map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(names, (raw) => {
        const read = readEntryName(raw, defaultUnpackLimits);
        if ('refused' in read) return;
        for (const part of read.parts) expect(part).not.toMatch(/^\.{0,2}$|[/\0]/);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('where a link leads', () => {
  it.each<[string, string, string | null]>([
    ['', 'a', 'a'],
    ['d', '../a', 'a'],
    ['d/e', '../../a/./b', 'a/b'],
    ['d', '../..', null],
    ['', '/a', null],
    ['', '..', null],
    ['d', 'x/../../../a', null],
    ['', '', null],
    ['', 'C:/a', null],
    ['d', '..\\..\\a', null],
  ])('from %s to %s', (from, target, expected) => {
    expect(resolveLink(from.split('/').filter(Boolean), target)?.join('/') ?? null).toBe(expected);
  });
});

describe('names that are the same elsewhere', () => {
  it.each([
    ['README', 'readme'],
    ['\u00e9', 'e\u0301'],
    ['\u212a', 'k'],
    ['\ufb01le', 'file'],
  ])('%s and %s', (left, right) => {
    expect(foldName(left)).toBe(foldName(right));
  });
});
