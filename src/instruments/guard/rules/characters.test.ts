import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseText } from '../../../base/normalise.ts';
import { Characters, kinds } from './characters.ts';
import { visibleText } from './visible-text.ts';

const characters = new Characters();
const unit = fc.oneof(
  fc.constantFrom(
    ...'aeIo .\n\u0301\u0308\u200b\u00a0\uff41\ufb01\u1100\u1161\u11a8\u0430\u2019\u00e9\u{1d41a}\u{1f600}\u{e0041}\u00ad\u0345',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const texts = fc.array(unit, { maxLength: 30 }).map((list) => list.join(''));

describe('Characters', () => {
  it('normalise as a whole text is normalised', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(characters.normalise(text)).toBe(normaliseText(text).text);
      }),
      { numRuns: 3000 },
    );
  });

  it('know what cannot be seen', () => {
    fc.assert(
      fc.property(texts, (text) => {
        if (visibleText(text).removed > 0) expect(characters.kindsOf(text) & kinds.unseen).toBe(kinds.unseen);
      }),
      { numRuns: 2000 },
    );
  });
});
