import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  type LeafRange,
  RangeRoots,
  rootOfInclusion,
} from './proof.ts';
import { emptyRoot, Frontier, hashLeaf, hashNode } from './tree.ts';

/** The leaves and roots that Certificate Transparency tests with. */
const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const leaves = inputs.map((input) => hashLeaf(Buffer.from(input, 'hex')));

/** The definition of RFC 6962, word for word. */
function naiveRoot(items: readonly string[]): string {
  if (items.length === 0) return emptyRoot;
  if (items.length === 1) return items[0] ?? '';
  let split = 1;
  while (split * 2 < items.length) split *= 2;
  return hashNode(naiveRoot(items.slice(0, split)), naiveRoot(items.slice(split)));
}

function naivePath(index: number, items: readonly string[]): readonly string[] {
  if (items.length <= 1) return [];
  let split = 1;
  while (split * 2 < items.length) split *= 2;
  const [left, right] = [items.slice(0, split), items.slice(split)];
  return index < split
    ? [...naivePath(index, left), naiveRoot(right)]
    : [...naivePath(index - split, right), naiveRoot(left)];
}

function pathOf(ranges: readonly LeafRange[], items: readonly string[]): readonly string[] {
  const collected = new RangeRoots(ranges);
  for (const [index, leaf] of items.entries()) collected.take(index, leaf);
  return collected.roots();
}

function rootOf(items: readonly string[]): string {
  const tree = new Frontier();
  for (const item of items) tree.push(item);
  return tree.root();
}

const manyLeaves = fc
  .integer({ min: 1, max: 70 })
  .map((count) => Array.from({ length: count }, (_, at) => hashLeaf(`leaf ${at}`)));

describe('the tree', () => {
  it('has the roots of the known vectors', () => {
    expect(new Frontier().root()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    for (const [index, root] of roots.entries()) expect(rootOf(leaves.slice(0, index + 1))).toBe(root);
  });

  it('is the tree of the definition, and goes on from its parts', () => {
    fc.assert(
      fc.property(manyLeaves, fc.nat(), (items, cut) => {
        const at = cut % items.length;
        const tree = new Frontier();
        for (const item of items.slice(0, at)) tree.push(item);
        const again = Frontier.from(tree.size, tree.parts);
        for (const item of items.slice(at)) again?.push(item);
        expect(again?.root()).toBe(naiveRoot(items));
        expect(again?.size).toBe(items.length);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['a part too many', 2, ['0'.repeat(64), '0'.repeat(64)]],
    ['a part missing', 3, ['0'.repeat(64)]],
    ['a part that is no hash', 1, ['xyz']],
    ['a size that is none', -1, []],
  ])('is not made from %s', (_, size, parts) => {
    expect(Frontier.from(size, parts)).toBeNull();
  });
});

describe('inclusion', () => {
  it('has the known path', () => {
    expect(rootOfInclusion(2, 3, leaves[2] ?? '', [roots[1] ?? ''])).toBe(roots[2]);
  });

  it('is proven for every leaf, and for no other place, size or leaf', () => {
    fc.assert(
      fc.property(manyLeaves, fc.nat(), fc.nat(), (items, chosen, other) => {
        const index = chosen % items.length;
        const path = pathOf(inclusionRanges(index, items.length), items);
        expect(path).toEqual(naivePath(index, items));
        const leaf = items[index] ?? '';
        expect(rootOfInclusion(index, items.length, leaf, path)).toBe(naiveRoot(items));
        const wrong = other % (items.length + 3);
        if (wrong !== index) expect(rootOfInclusion(wrong, items.length, leaf, path)).not.toBe(naiveRoot(items));
        expect(rootOfInclusion(index, items.length, hashLeaf('another'), path)).not.toBe(naiveRoot(items));
        expect(rootOfInclusion(index, items.length, leaf, [...path, leaf])).toBeNull();
        if (path.length > 0)
          expect(rootOfInclusion(index, items.length, leaf, path.slice(1))).not.toBe(naiveRoot(items));
      }),
      { numRuns: 60 },
    );
  });
});

describe('consistency', () => {
  it.each([
    [
      6,
      8,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [
      2,
      5,
      [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('of %i and %i has the known path', (older, newer, path) => {
    expect(pathOf(consistencyRanges(older, newer), leaves.slice(0, newer))).toEqual(path);
    const head = (size: number) => ({ size, root: roots[size - 1] ?? '' });
    expect(isConsistent(head(older), head(newer), path)).toBe(true);
    expect(isConsistent({ size: older, root: roots[0] ?? '' }, head(newer), path)).toBe(false);
  });

  it('is proven for every pair of sizes, and not when an older leaf was another one', () => {
    fc.assert(
      fc.property(manyLeaves, fc.nat(), fc.nat(), (items, chosen, changed) => {
        const older = chosen % (items.length + 1);
        const path = pathOf(consistencyRanges(older, items.length), items);
        const newer = { size: items.length, root: naiveRoot(items) };
        expect(isConsistent({ size: older, root: naiveRoot(items.slice(0, older)) }, newer, path)).toBe(true);
        if (older === 0) return;
        const forged = items.slice(0, older).with(changed % older, hashLeaf('forged'));
        expect(isConsistent({ size: older, root: naiveRoot(forged) }, newer, path)).toBe(false);
        expect(
          isConsistent({ size: older, root: naiveRoot(items.slice(0, older)) }, newer, [...path, path[0] ?? emptyRoot]),
        ).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});
