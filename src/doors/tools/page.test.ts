import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOf } from './page.ts';

describe('pageOf', () => {
  it.each([
    [undefined, [0, 1, 2], '3'],
    ['3', [3, 4, 5], '6'],
    ['8', [8, 9], null],
    ['10', [], null],
    ['999999', [], null],
  ])('from %s', (cursor, entries, next) => {
    const all = Array.from({ length: 10 }, (_, at) => at);
    const page = pageOf(all, { cursor, limit: 3, mostBytes: 1000 }, (entry) => entry);
    expect(page).toEqual({ entries, total: 10, cursor: next });
  });

  it.each(['-1', 'x', '1.5', ' 1', '1e3', '9'.repeat(13)])('takes no cursor %j', (cursor) => {
    expect(() => pageOf([1], { cursor, limit: 3, mostBytes: 10 }, (entry) => entry)).toThrow('cursor');
  });

  it('comes by every entry once, whatever the sizes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 50 })),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 120 }),
        (all, limit, mostBytes) => {
          const seen: string[] = [];
          let cursor: string | undefined;
          for (let round = 0; round <= all.length; round += 1) {
            const page = pageOf(all, { cursor, limit, mostBytes }, (entry) => entry);
            seen.push(...page.entries);
            if (page.cursor === null) break;
            cursor = page.cursor;
          }
          expect(seen).toEqual(all);
        },
      ),
    );
  });
});
