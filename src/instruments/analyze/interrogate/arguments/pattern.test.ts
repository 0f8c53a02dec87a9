import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from './pattern.ts';

const firstOf = (limit: number): number => (limit > 1 ? 1 : 0);

describe('patterns of schemas', () => {
  it.each([
    '^[a-z]+$',
    '^[A-Z]{3}-\\d{4}$',
    '^(feat|fix)(\\([\\w-]+\\))?: .+$',
    '^https?://[^\\s/]+/',
    '^\\d+\\.\\d+\\.\\d+$',
    '[0-9a-f]{8}-[0-9a-f]{4}',
    '^$',
    '^[^\\/]*$',
    'x*',
    '^\\u0041\\x42[\\]\\-]$',
    '^(?:a|b|)c{2,3}$',
    '^(?<year>\\d{4})$',
  ])('makes a text for %s that RegExp agrees with', (source) => {
    const made = compilePattern(source)?.make(0, firstOf);
    expect(made).not.toBeNull();
    expect(made ?? '').toMatch(new RegExp(source, 'u'));
  });

  it.each([['(?=a)b'], ['(a)\\1'], ['\\p{L}'], ['('], ['[a'], ['a**'], ['\\b']])('leaves %s alone', (source) => {
    expect(compilePattern(source)).toBeNull();
  });

  it('makes long texts when asked to', () => {
    expect(compilePattern('^[a-z]+$')?.make(50, firstOf)?.length).toBeGreaterThanOrEqual(50);
    expect(compilePattern('^[a-z]{3}$')?.make(50, firstOf)).toBeNull();
  });

  it('does not hang on a pattern that backtracks for ever', () => {
    expect(compilePattern('^(a+)+$')?.test(`${'a'.repeat(60)}!`)).toBe(true);
  });

  it('agrees with RegExp wherever both have an answer', () => {
    const piece = fc.constantFrom('a', 'b', '.', '\\d', '[ab]', '[^a]', '(a|b)', '(?:ab)', '^', '$');
    const sized = fc
      .tuple(piece, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}'))
      .map(([part, times]) => (part === '^' || part === '$' ? part : part + times));
    const source = fc.array(sized, { maxLength: 5 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(source, fc.string({ unit: fc.constantFrom('a', 'b', '1', ' '), maxLength: 8 }), (pattern, text) => {
        expect(compilePattern(pattern)?.test(text)).toBe(new RegExp(pattern, 'u').test(text));
      }),
      { numRuns: 500 },
    );
  });

  it('reads any text as a pattern without throwing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 20 }), (source, text) => {
        const pattern = compilePattern(source);
        pattern?.test(text);
        pattern?.make(4, firstOf);
      }),
      { numRuns: 500 },
    );
  });
});
