import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Canary } from '../canary.ts';
import { createKeyedMatcher, createMatcher, type Matcher } from './matcher.ts';
import type { LetterRule, Pattern } from './patterns.ts';

const canary: Canary = { id: 'x', vendor: 'x', kind: 'key', token: '', needles: [], planted: 'nowhere' };
const pattern = (bytes: Uint8Array | string, letters: LetterRule = 'exact'): Pattern => ({
  canary,
  bytes: Buffer.from(bytes as Uint8Array),
  chain: [],
  letters,
});

function placesOf(matcher: Matcher, bytes: Uint8Array, from = 0): readonly number[] {
  const places: number[] = [];
  matcher.scan(bytes, from, (_, start) => places.push(start));
  return places;
}

describe('the search', () => {
  it('finds what a plain one finds, with few letters and many overlaps', () => {
    const letters = fc.constantFrom(...Buffer.from('abAB'));
    const needles = fc.array(fc.array(letters, { minLength: 5, maxLength: 9 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(needles, fc.array(letters, { maxLength: 400 }), fc.nat(400), (made, text, from) => {
        const bytes = Buffer.from(text);
        const patterns = [...new Set(made.map((each) => Buffer.from(each).toString()))];
        const expected = patterns.flatMap((each) =>
          text.flatMap((_, at) =>
            bytes.toString('latin1', at).startsWith(each) && at + each.length > from ? [at] : [],
          ),
        );
        const places = placesOf(createMatcher(patterns.map((each) => pattern(each))), bytes, from);
        expect(places.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['free', 'sEcReTtOkEn', 1],
    ['exact', 'sEcReTtOkEn', 0],
    ['exact', 'SecretToken', 1],
    ['kept or lost', 'SecretToken', 1],
    ['kept or lost', 'secrettoken', 1],
    ['kept or lost', 'SECRETTOKEN', 1],
    ['kept or lost', 'secretToken', 0],
  ] as const)('takes case as %s: %s', (letters, text, count) => {
    const matcher = createMatcher([pattern('SecretToken', letters)]);
    expect(placesOf(matcher, Buffer.from(`..${text}..`))).toHaveLength(count);
  });

  it('finds a pattern under every key but none', () => {
    const matcher = createKeyedMatcher([pattern('Secret0Token1Here')]);
    for (let key = 0; key < 256; key += 1) {
      const bytes = Buffer.from('some Secret0Token1Here text').map((byte) => byte ^ key);
      expect(placesOf(matcher, bytes), `key ${key}`).toEqual(key === 0 ? [] : [5]);
    }
  });

  it('finds nothing when there is nothing to look for, or nothing to look in', () => {
    expect(placesOf(createMatcher([]), Buffer.from('text'))).toEqual([]);
    expect(placesOf(createKeyedMatcher([]), Buffer.from('text'))).toEqual([]);
    expect(placesOf(createMatcher([pattern('SecretToken')]), Buffer.alloc(0))).toEqual([]);
  });
});
