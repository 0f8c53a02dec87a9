import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileRule } from '../../base/policy-schema.ts';
import { accessAt, ancestorsOf, cleanPath, comparePaths, indexAccess, isCovered, isWithin } from './paths.ts';

describe('cleanPath', () => {
  it.each([
    ['/', '/'],
    ['//', '/'],
    ['/usr/', '/usr'],
    ['/usr//lib/./x', '/usr/lib/x'],
    ['{work}', '{work}'],
    ['{work}/', '{work}'],
    ['{work}//a', '{work}/a'],
    ['/a b/…', '/a b/…'],
  ])('%s is %s', (path, expected) => {
    expect(cleanPath(path)).toBe(expected);
  });
});

describe('isWithin', () => {
  it.each([
    ['/usr/lib', '/usr', true],
    ['/usr', '/usr', true],
    ['/usr2', '/usr', false],
    ['/usr', '/usr/lib', false],
    ['/anything', '/', true],
    ['{work}/a', '{work}', true],
    ['{work}', '/', false],
    ['{workshop}', '{work}', false],
  ])('%s in %s: %s', (path, ancestor, expected) => {
    expect(isWithin(path, ancestor)).toBe(expected);
  });

  it('agrees with the list of ancestors', () => {
    expect(ancestorsOf('/a/b/c')).toEqual(['/a/b', '/a', '/']);
    expect(ancestorsOf('{work}/a')).toEqual(['{work}']);
    expect(ancestorsOf('/')).toEqual([]);
    const part = fc.constantFrom('a', 'b', 'ab', '-');
    const path = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect([one, ...ancestorsOf(one)].includes(other)).toBe(isWithin(one, other));
      }),
    );
  });
});

describe('accessAt', () => {
  const rules: FileRule[] = [
    { path: '/usr', access: 'execute' },
    { path: '/usr/share//', access: 'read' },
    { path: '/usr/local', access: 'write' },
    { path: '{tmp}', access: 'write' },
  ];
  it.each([
    ['/usr', { read: true, write: false, execute: true }],
    ['/usr/share/x', { read: true, write: false, execute: true }],
    ['/usr/local/bin', { read: true, write: true, execute: true }],
    ['{tmp}/x', { read: true, write: true, execute: false }],
    ['/etc', { read: false, write: false, execute: false }],
    ['{home}', { read: false, write: false, execute: false }],
  ])('%s', (path, expected) => {
    expect(accessAt(indexAccess(rules), path)).toEqual(expected);
  });

  it('covers what it includes', () => {
    const read = { read: true, write: false, execute: false };
    const write = { read: true, write: true, execute: false };
    expect(isCovered(read, write)).toBe(true);
    expect(isCovered(write, read)).toBe(false);
  });
});

describe('comparePaths', () => {
  it('puts parents before children and siblings in a fixed order', () => {
    const sorted = ['/', '/a', '/a/b', '/a/b/c', '/a-b', '/a-b/c', '/ab', '{tmp}'];
    expect(sorted.toReversed().sort(comparePaths)).toEqual(sorted);
  });

  it('is an order', () => {
    const path = fc.string({ unit: fc.constantFrom('/', 'a', '-', 'z', '.'), maxLength: 6 });
    fc.assert(
      fc.property(path, path, (left, right) => {
        expect(Math.sign(comparePaths(left, right))).toBe(-Math.sign(comparePaths(right, left)) + 0);
        if (comparePaths(left, right) === 0) expect(left).toBe(right);
      }),
    );
  });
});
