import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LayoutEdge, layOut, type Placed } from './npm-layout.ts';

type Graph = Readonly<Record<string, readonly string[]>>;

/** `name=key` for an alias, `name@version` where both are the same, `?` after it for a peer. */
function edge(text: string): LayoutEdge {
  const [target = '', isPeer] = text.endsWith('?') ? [text.slice(0, -1), true] : [text, false];
  const [name, key] = target.includes('=') ? target.split('=') : [target.split('@')[0], target];
  return { name: name ?? '', key: key ?? '', isPeer: isPeer === true };
}

const place = (graph: Graph): readonly Placed[] => layOut((key) => (graph[key] ?? []).map(edge), 1000);

/** As node looks for a package: from the folder of the dependent upwards. */
function find(placed: readonly Placed[], from: string, name: string): string | undefined {
  const byFolder = new Map(placed.map(({ folder, key }) => [folder, key]));
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const there = byFolder.get(folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`);
    if (there !== undefined || folder === '') return there;
    if (!folder.includes('/node_modules/')) return byFolder.get(`node_modules/${name}`);
  }
}

describe('where packages are put', () => {
  it.each<{ what: string; graph: Graph; folders: Readonly<Record<string, string>> }>([
    {
      what: 'one of each at the top',
      graph: { '': ['a@1'], 'a@1': ['b@1'], 'b@1': ['a@1'] },
      folders: { 'node_modules/a': 'a@1', 'node_modules/b': 'b@1' },
    },
    {
      what: 'another version below its dependent',
      graph: { '': ['a@1', 'c@1'], 'c@1': ['a@2'] },
      folders: { 'node_modules/a': 'a@1', 'node_modules/c': 'c@1', 'node_modules/c/node_modules/a': 'a@2' },
    },
    {
      what: 'an alias under its name',
      graph: { '': ['w-cjs=w@4', 'w@5'] },
      folders: { 'node_modules/w-cjs': 'w@4', 'node_modules/w': 'w@5' },
    },
    {
      what: 'a version that two share is put above both',
      graph: { '': ['a@1', 'c@1'], 'c@1': ['d@1', 'e@1', 'c2@1'], 'd@1': ['a@2'], 'c2@1': ['a@2'] },
      folders: {
        'node_modules/a': 'a@1',
        'node_modules/c': 'c@1',
        'node_modules/c2': 'c2@1',
        'node_modules/d': 'd@1',
        'node_modules/e': 'e@1',
        'node_modules/c2/node_modules/a': 'a@2',
        'node_modules/d/node_modules/a': 'a@2',
      },
    },
    {
      what: 'a peer beside its dependent',
      graph: { '': ['a@1'], 'a@1': ['z@3?'] },
      folders: { 'node_modules/a': 'a@1', 'node_modules/z': 'z@3' },
    },
  ])('$what', ({ graph, folders }) => {
    expect(Object.fromEntries(place({ 'e@1': [], ...graph }).map(({ folder, key }) => [folder, key]))).toEqual(
      Object.fromEntries(Object.entries(folders).filter(([, key]) => key !== '')),
    );
  });

  it('gives every dependent the version that it was resolved to', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const keys = names.flatMap((name) => [`${name}@1`, `${name}@2`]);
    const wishes = fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 4, selector: (key) => key[0] ?? '' });
    fc.assert(
      fc.property(fc.array(wishes, { minLength: keys.length + 1, maxLength: keys.length + 1 }), (lists) => {
        const graph = Object.fromEntries(['', ...keys].map((key, at) => [key, lists[at] ?? []]));
        const placed = layOut((key) => (graph[key] ?? []).map(edge), 300);
        if (placed.length >= 300) return;
        for (const { folder, key } of [{ folder: '', key: '' }, ...placed]) {
          for (const wish of graph[key] ?? []) expect(find(placed, folder, wish[0] ?? '')).toBe(wish);
        }
      }),
    );
  });

  it('ends at its limit', () => {
    const endless = (key: string): readonly LayoutEdge[] => [{ name: `n${key.length}`, key: `${key}x`, isPeer: false }];
    expect(layOut(endless, 50)).toHaveLength(50);
  });
});
