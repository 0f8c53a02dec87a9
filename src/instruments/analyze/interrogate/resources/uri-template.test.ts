import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neighboursOf } from './neighbours.ts';
import { expand, partsOf, prefixOf, variablesOf } from './uri-template.ts';

describe('a URI template', () => {
  it.each([
    ['notes://{id}', { id: 'a/b' }, 'notes://a%2Fb', 'notes://a/b'],
    ['file:///{+path}', { path: '../x' }, 'file:///../x', 'file:///../x'],
    ['s://{a}/{b}', { a: '1', b: '2' }, 's://1/2', 's://1/2'],
    ['s://x{?q,limit}', { q: 'a b', limit: '3' }, 's://x?q=a%20b&limit=3', 's://x?q=a b&limit=3'],
    ['s://x{/path*}', { path: 'a' }, 's://x/a', 's://x/a'],
    ['s://{name:3}/end', {}, 's:///end', 's:///end'],
    ['plain://nothing', { a: 'b' }, 'plain://nothing', 'plain://nothing'],
  ])('%s with %j', (template, values, encoded, raw) => {
    expect(expand(template, values, 'encoded')).toBe(encoded);
    expect(expand(template, values, 'raw')).toBe(raw);
  });

  it('tells its variables and what it begins with', () => {
    expect(variablesOf('a://{x}/{+y*}{?z,x}')).toEqual(['x', 'y', 'z']);
    expect(prefixOf('file:///{path}')).toBe('file:///');
    expect(prefixOf('{+uri}')).toBe('');
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.dictionary(fc.string(), fc.string({ unit: 'binary' })),
        (text, values) => {
          expect(typeof expand(text, values, 'encoded')).toBe('string');
          expect(partsOf(text).length).toBeGreaterThan(0);
          if (!text.includes('{')) expect(expand(text, values, 'raw')).toBe(text.slice(0, 2048));
        },
      ),
    );
  });
});

describe('neighbours', () => {
  it.each([
    [['note://17'], ['note://18']],
    [['note://1', 'note://2', 'note://3'], ['note://0']],
    [['a://x/009.md'], ['a://x/010.md']],
    [['doc://readme'], []],
    [[], []],
  ])('of %j are %j', (uris, expected) => {
    expect(neighboursOf(uris).map(({ uri }) => uri)).toEqual(expected);
  });

  it('are few, and never listed', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (uris) => {
        const found = neighboursOf(uris);
        expect(found.length).toBeLessThanOrEqual(3);
        for (const { uri } of found) expect(uris).not.toContain(uri);
      }),
    );
  });
});
