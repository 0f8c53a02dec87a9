import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRequest } from './build-request.ts';
import { findSecrets } from './check-document.ts';
import { otherVersions } from './check-endpoints.ts';
import { candidates } from './choose-base.ts';
import { excessNames, isMediaTypeListed, responseFor } from './compare-answer.ts';
import { describeApi } from './description.ts';
import { formatOf, readDocument } from './read-document.ts';
import { References } from './references.ts';
import { sampleOf } from './sample-value.ts';
import { readSchema } from './schema.ts';
import { isSecretName } from './secret-names.ts';
import { wrongValues } from './wrong-values.ts';

const none = new References({});

describe('values', () => {
  it.each([
    [{ type: 'integer', minimum: 5 }, 5],
    [{ type: 'integer', minimum: 5, exclusiveMinimum: true }, 6],
    [{ type: 'number', maximum: -2 }, -2],
    [{ type: 'string', minLength: 10 }, 'hotcellxxx'],
    [{ type: 'string', maxLength: 3 }, 'hot'],
    [{ type: 'string', format: 'date' }, '2024-01-01'],
    [{ type: 'string', enum: ['a', 'b'] }, 'a'],
    [{ type: 'string', example: 'mine', default: 'other' }, 'mine'],
    [{ type: ['null', 'boolean'] }, true],
    [{ type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
    [{ properties: { a: { type: 'integer' }, b: {} }, required: ['a'] }, { a: 1 }],
    [{ allOf: [{ type: 'string' }, { enum: ['z'] }] }, 'z'],
    [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, 1],
  ])('%j fits', (schema, value) => {
    expect(sampleOf(schema, none)).toEqual(value);
  });

  it.each([
    [{ type: 'integer', maximum: 9 }, ['hotcell-none', '10']],
    [{ type: 'string', maxLength: 2 }, ['hhh']],
    [{ type: 'string', enum: ['a'] }, ['hotcell-none']],
    [{ type: 'string', format: 'uuid' }, ['hotcell-none']],
    [{ type: 'string', pattern: '^a$' }, []],
    [{ type: ['integer', 'string'] }, []],
    [{ type: 'string', maxLength: 1e9 }, []],
    [{ oneOf: [{ type: 'integer' }] }, []],
    [{}, []],
  ])('%j forbids', (schema, values) => {
    expect(wrongValues(readSchema(schema, none)).map(({ value }) => value)).toEqual(values);
  });
});

describe('answers and schemas', () => {
  const schema = {
    properties: { id: {}, inner: { properties: { a: {} } }, list: { items: { properties: { b: {} } } } },
  };
  it.each([
    [{ id: 1 }, schema, []],
    [{ id: 1, x: 1 }, schema, ['x']],
    [{ inner: { a: 1, c: 1 }, list: [{ b: 1, d: 1 }] }, schema, ['inner.c', 'list[].d']],
    [{ x: 1 }, { ...schema, additionalProperties: true }, []],
    [{ x: 1 }, { type: 'object' }, []],
    [{ x: 1 }, { oneOf: [{ properties: { x: {} } }, { properties: { y: {} } }] }, []],
    ['text', schema, []],
  ])('%j against %j', (value, given, names) => {
    expect(excessNames(value, given, none)).toEqual(names);
  });

  it('finds the response and its types', () => {
    const responses = new Map([
      ['200', 1],
      ['4XX', 2],
      ['default', 3],
    ]);
    expect([200, 404, 500].map((status) => responseFor(responses, status))).toEqual([1, 2, 3]);
    expect(isMediaTypeListed(['application/*'], 'application/json')).toBe(true);
    expect(isMediaTypeListed(['application/json'], 'text/html')).toBe(false);
  });
});

describe('names and places', () => {
  it.each(['password', 'passwordHash', 'user_ssn', 'apiKey', 'API-KEY', 'card number', 'refreshToken'])(
    '%s is secret',
    (name) => {
      expect(isSecretName(name)).toBe(true);
    },
  );
  it.each(['name', 'pinned', 'secretary', 'tokens_used', 'key', 'passport', ''])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
  it('knows other versions and bases', () => {
    expect(otherVersions('http://h/api/v1')).toEqual(['http://h/api/v0', 'http://h/api/v2', 'http://h/api/v3']);
    expect(otherVersions('http://h/api')).toEqual([]);
    expect(candidates('http://h/', ['https://elsewhere.invalid/v1', '/v2'])).toEqual([
      'http://h/v1',
      'http://h/v2',
      'http://h',
    ]);
    expect(candidates('http://h/v1', ['/other'])).toEqual(['http://h/v1']);
  });
  it('finds secrets in values only', () => {
    const value = ['k7Wq', '9xPz', 'R4vN', 't2Lm'].join('');
    const at = (document: Record<string, unknown>) => findSecrets(document).map(({ where }) => where);
    expect(at({ properties: { apiKey: { type: 'string', example: value } } })).toEqual(['/properties/apiKey/example']);
    expect(at({ parameters: [{ in: 'header', name: 'X-Api-Key', schema: { default: value } }] })).toHaveLength(1);
    expect(at({ example: { user: { password: value } } })).toHaveLength(1);
    expect(at({ properties: { apiKey: { type: 'string', description: value, format: value } } })).toEqual([]);
    expect(at({ properties: { colour: { example: value } } })).toEqual([]);
    expect(at({ properties: { password: { example: 'changeme123' } } })).toEqual([]);
    expect(at({ description: `use ${['AKIA', 'Z7Q2M4X9', 'B3N8V5K1'].join('')}` })).toEqual(['/description']);
  });
});

const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);

/** Words that documents are made of, at random places. */
const word = fc.constantFrom(
  'paths',
  '/a/{b}',
  'get',
  'parameters',
  'schema',
  '$ref',
  'properties',
  'allOf',
  'oneOf',
  'items',
  'responses',
  '200',
  'content',
  'application/json',
  'security',
  'servers',
  'url',
  'name',
  'in',
  'components',
  'enum',
  'type',
  '__proto__',
);
const leaf = fc.oneof(
  fc.constantFrom(
    '#/paths',
    '#/components',
    '#',
    'query',
    'path',
    'header',
    'string',
    'integer',
    'x',
    'http://x/{y}',
    '/v1',
    '\ud800',
  ),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double(),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(word, tie('tree'), { maxKeys: 6 }),
  ),
}));

const part = fc.dictionary(word, tree, { maxKeys: 5 });
/** Right so far that the inner parts are reached. */
const operations = fc.dictionary(
  fc.oneof(
    fc.constantFrom('/a', '/{b}', '/..', '//x', '/a?b#c', '/\\x'),
    fc.string().map((text) => `/${text}`),
  ),
  fc.record({
    get: fc.record({
      parameters: fc.array(
        fc.record({
          name: fc.oneof(fc.string(), fc.constant('b')),
          in: fc.constantFrom('path', 'query', 'header', 'cookie', 'body'),
          required: fc.boolean(),
          schema: fc.oneof(part, tree),
          example: tree,
        }),
        { maxLength: 4 },
      ),
      responses: fc.dictionary(fc.constantFrom('200', 'default', '2XX'), part),
      requestBody: part,
    }),
    post: part,
  }),
  { maxKeys: 3 },
);

describe('any document', () => {
  it('is described, sampled and walked without a throw', () => {
    fc.assert(
      fc.property(
        fc.dictionary(word, tree, { maxKeys: 8 }),
        fc.option(operations),
        fc.constantFrom('3.0.1', '3.1.0', '2.0'),
        (parts, paths, version) => {
          const document = {
            ...parts,
            ...(paths === null ? {} : { paths }),
            ...(version === '2.0' ? { swagger: version } : { openapi: version }),
          };
          const description = describeApi(document);
          expect(description).not.toBeNull();
          findSecrets(document);
          for (const operation of description?.operations ?? []) {
            const request = buildRequest('http://127.0.0.1/v1', operation, new References(document));
            expect(request.url.startsWith('http://127.0.0.1/v1/')).toBe(true);
            expect(new URL(request.url).host).toBe('127.0.0.1');
            for (const contents of operation.responses.values())
              excessNames(parts, contents[0]?.schema, new References(document));
          }
        },
      ),
      { numRuns: runs },
    );
  });

  it('is read from any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({
        unit: fc.constantFrom('a', ':', ' ', '\n', '-', '[', '{', '}', '&', '*', '"', '|', '?', '!', '#', '%'),
      }),
      tree.map((value) => JSON.stringify(value) ?? ''),
    );
    fc.assert(
      fc.property(text, (given) => {
        const { value, problem } = readDocument(given);
        if (value !== null) formatOf(value);
        return (value === null) === (typeof problem === 'string');
      }),
      { numRuns: runs },
    );
  });
});
