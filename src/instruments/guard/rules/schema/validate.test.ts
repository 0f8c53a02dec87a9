import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLinear } from '../pattern/linear.ts';
import { misfitOf } from './validate.ts';

describe('misfitOf', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['a type', { type: 'string' }, 'x', true],
    ['another type', { type: 'string' }, 1, false],
    ['one of two types', { type: ['string', 'null'] }, null, true],
    ['an integer', { type: 'integer' }, 2, true],
    ['no integer', { type: 'integer' }, 2.5, false],
    ['an allowed value', { enum: ['a', { b: 1 }] }, { b: 1 }, true],
    ['no allowed value', { enum: ['a'] }, 'b', false],
    ['the one value', { const: [1] }, [1], true],
    ['a pattern', { pattern: '^/srv/[a-z]+$' }, '/srv/abc', true],
    ['a pattern that does not match', { pattern: '^/srv/[a-z]+$' }, '/srv/../etc', false],
    ['a pattern that cannot be matched in one pass', { pattern: '(a)\\1' }, 'aa', false],
    ['lengths', { minLength: 1, maxLength: 2 }, '\u{1f600}\u{1f600}', true],
    ['a length beyond', { maxLength: 2 }, 'abc', false],
    ['a number within', { minimum: 1, maximum: 3, multipleOf: 0.5 }, 2.5, true],
    ['a number beyond', { exclusiveMaximum: 3 }, 3, false],
    ['a list', { type: 'array', items: { type: 'string' }, maxItems: 2, uniqueItems: true }, ['a', 'b'], true],
    ['a list with another in it', { items: { type: 'string' } }, ['a', 1], false],
    ['a list that repeats', { uniqueItems: true }, [{ a: 1 }, { a: 1 }], false],
    [
      'a record',
      { properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false },
      { a: 1 },
      true,
    ],
    ['a record with more', { properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }, false],
    ['a record with less', { required: ['a'] }, {}, false],
    ['a key of the prototype', { required: ['toString'] }, {}, false],
    ['any of', { anyOf: [{ type: 'string' }, { const: 1 }] }, 1, true],
    ['none of', { anyOf: [{ type: 'string' }] }, 1, false],
    ['exactly one of', { oneOf: [{ type: 'number' }, { const: 1 }] }, 1, false],
    ['all of', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, 2, true],
    ['not', { not: { pattern: '\\.\\.' } }, '../x', false],
    ['a word that is not known', { type: 'string', format: 'uri' }, 'x', false],
    ['a schema that is none', 'string', 'x', false],
    ['everything', true, 'x', true],
    ['nothing', false, 'x', false],
  ])('%s', (_name, schema, value, fits) => {
    expect(misfitOf(value, schema) === null).toBe(fits);
  });

  it('survives any schema and value', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 3 }), fc.anything(), (schema, value) => {
        misfitOf(value, schema);
      }),
      { numRuns: 200 },
    );
  });
});

describe('compileLinear', () => {
  it.each(['^(a+)+$', '(a|a)*b', '(?:a?){30}a{30}', '^(\\w+\\s?)*$'])('never goes back for %s', (source) => {
    expect(compileLinear(source)?.test(`${'a'.repeat(3000)}!`)).toBe(
      new RegExp(source === '(?:a?){30}a{30}' ? 'a{30}' : 'never').test('a'.repeat(40)),
    );
  });

  it.each(['(?=a)', '(a)\\1', '(', 'a{2,1}', '[z', '\\k<x>', 'a**', `${'(a{100}){100}'}`, 'x'.repeat(3000)])(
    'does not take %s',
    (source) => {
      expect(compileLinear(source)).toBe(null);
    },
  );

  it('agrees with RegExp', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '\\s',
      '(?:ab|c)',
      '(a|b)',
      '^',
      '$',
      '\\b',
      '\\.',
      '\\u0062',
    );
    const part = fc
      .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '+?'))
      .map(([one, sign]) => (/^[\^$]$|^\\b$/.test(one) ? one : one + sign));
    const source = fc
      .array(
        fc.array(part, { maxLength: 5 }).map((parts) => parts.join('')),
        { minLength: 1, maxLength: 3 },
      )
      .map((options) => options.join('|'));
    fc.assert(
      fc.property(source, fc.stringMatching(/^[abc .1\u00e9]{0,12}$/), (pattern, text) => {
        expect(compileLinear(pattern)?.test(text)).toBe(new RegExp(pattern, 'u').test(text));
      }),
      { numRuns: 500 },
    );
  });
});
