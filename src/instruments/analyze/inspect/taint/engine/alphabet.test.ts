import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitsWhenMatching, bitsWhenNotMatching, bitsWhenReplaced } from './alphabet.ts';
import { bits } from './bits.ts';

const all = {
  shell: bits.shell,
  dash: bits.dash,
  component: bits.component,
  noDots: bits.noDots,
  sql: bits.sql,
  host: bits.hostAllowed,
} as const;

function names(granted: number): string[] {
  return Object.entries(all)
    .filter(([, bit]) => (granted & bit) !== 0)
    .map(([name]) => name);
}

describe('what a match tells', () => {
  it.each([
    ['^[a-zA-Z0-9]+$', '', ['shell', 'dash', 'component', 'noDots', 'sql', 'host']],
    ['^[a-zA-Z0-9_.-]+$', '', ['shell', 'component', 'sql', 'host']],
    ['^\\w[\\w.-]*$', '', ['shell', 'dash', 'component', 'sql', 'host']],
    ['^\\d+$', '', ['shell', 'dash', 'component', 'noDots', 'sql', 'host']],
    ['^[\\w/]+$', '', ['shell', 'dash', 'noDots', 'sql']],
    ['^I?\\d+:\\d+(?:;\\d+:\\d+)*$', '', ['dash', 'component', 'noDots']],
    ['^https:\\/\\/example\\.com\\/', '', ['host']],
    ['^[^/\\\\]+$', '', ['component']],
    ['^[^/]+$', '', []],
    ['^.*$', '', []],
    ['[a-z]+', '', []],
    ['^[a-z]+', '', []],
    ['[a-z]+$', '', []],
    ['^[a-z]+$', 'm', []],
    ['^a|b$', '', []],
    ['^(?:a|b)$', '', ['shell', 'dash', 'component', 'noDots', 'sql', 'host']],
    ['^\\p{L}+$', 'u', []],
    ['^[a-z]+\\$', '', []],
  ])('/%s/%s', (source, flags, expected) => {
    expect(names(bitsWhenMatching(source, flags))).toEqual(expected);
  });
});

describe('what a miss tells', () => {
  it.each([
    ['[;&|$`<>()\\n"\'\\\\]', ['shell']],
    ['[;&|]', []],
    ['[^a-z]', ['shell', 'dash', 'component', 'noDots', 'sql', 'host']],
    ['\\.\\.', ['noDots']],
    ['^-', ['dash']],
    ['[/\\\\]', ['component']],
    ['[;&|$`<>()\\n"\'\\\\]x', []],
  ])('/%s/', (source, expected) => {
    expect(names(bitsWhenNotMatching(source, ''))).toEqual(expected);
  });
});

describe('what a replacement leaves', () => {
  it.each([
    ['[^a-z0-9]', 'g', '', ['shell', 'dash', 'component', 'noDots', 'sql', 'host']],
    ['[^a-z0-9]', '', '', []],
    ['[^a-z0-9]', 'g', '-', ['shell', 'component', 'noDots', 'sql', 'host']],
    ['[^a-z0-9]', 'g', '$', ['dash', 'component', 'noDots', 'sql', 'host']],
    [';', 'g', '', []],
    ["'", 'g', "'\\''", ['shell']],
    ['\\/', 'g', '\\', []],
  ])('/%s/%s by %s', (source, flags, replacement, expected) => {
    expect(names(bitsWhenReplaced(source, flags, replacement))).toEqual(expected);
  });
});

describe('expressions of a target', () => {
  it('never claims that a character is excluded which the expression lets through', () => {
    const atom = fc.constantFrom('a', '[a-z]', '[^;]', '\\w', '\\d', '.', '-', '\\/', '[$;]', '(?:x|;)', '[A-Z0-9_-]');
    const quantifier = fc.constantFrom('', '+', '*', '?', '{2,3}');
    const expression = fc.array(
      fc.tuple(atom, quantifier).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(
        expression,
        fc.string({ unit: fc.constantFrom(...'a;$-/\\ .z9'), minLength: 1, maxLength: 6 }),
        (parts, text) => {
          const source = `^${parts.join('')}$`;
          if (!new RegExp(source).test(text)) return;
          const granted = bitsWhenMatching(source, '');
          if ((granted & bits.shell) !== 0) expect(text).not.toMatch(/[;$\\]/);
          if ((granted & bits.component) !== 0) expect(text).not.toMatch(/[/\\]/);
          if ((granted & bits.dash) !== 0) expect(text).not.toMatch(/^-/);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reads any text without failing and without running it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.constantFrom('', 'g', 'i', 'm'), (source, flags) => {
        expect(bitsWhenMatching(source, flags)).toBeGreaterThanOrEqual(0);
        expect(bitsWhenNotMatching(source, flags)).toBeGreaterThanOrEqual(0);
        expect(bitsWhenReplaced(source, flags, '_')).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
