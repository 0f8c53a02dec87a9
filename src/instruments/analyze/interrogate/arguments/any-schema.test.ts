import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { honestInputs, readKnowledge } from './honest-inputs.ts';
import { positions } from './positions.ts';
import { sampleWorld } from './sample-world.ts';
import { inputFor, withValue } from './with-value.ts';

const knowledge = readKnowledge();

function toolWith(inputSchema: unknown, more: Partial<ListedTool> = {}): ListedTool {
  return { name: 'example', inputSchema, ...more };
}

function inputsOf(inputSchema: unknown): readonly unknown[] {
  return honestInputs(toolWith(inputSchema), sampleWorld, { seed: 'seed', knowledge }).map(({ input }) => input);
}

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = Object.keys(properties), more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;
const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
addFormats(ajv);

function validatorOf(schema: object): (value: unknown) => boolean {
  return ajv.compile(schema) as (value: unknown) => boolean;
}

const leaf = fc.oneof(
  fc.constant(text),
  fc.record({ type: fc.constant('string'), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 40 }) }),
  fc.record({ type: fc.constant('string'), format: fc.constantFrom('uri', 'email', 'date-time', 'uuid', 'ipv4') }),
  fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^[a-z]+$', '^\\d{3}$', '^(a|b)c*$') }),
  fc.integer({ min: -1000, max: 1000 }).map((low) => ({ type: 'integer', minimum: low, maximum: low + 7 })),
  fc.constant({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }),
  fc.constant({ type: 'boolean' }),
  fc.constant({ enum: ['a', 1, null] }),
);
const anySchema: fc.Arbitrary<object> = fc.letrec<{ node: object }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.record({ type: fc.constant('array'), items: tie('node'), minItems: fc.nat(3) }),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc
      .tuple(fc.dictionary(fc.constantFrom('path', 'url', 'name', 'limit', 'a/b', '~'), tie('node')), fc.boolean())
      .map(([properties, isClosed]) =>
        object(properties, Object.keys(properties).slice(0, 2), isClosed ? { additionalProperties: false } : {}),
      ),
  ),
})).node;
const anyInputSchema = fc
  .dictionary(fc.constantFrom('path', 'query', 'opts', 'items'), anySchema)
  .map((all) => object(all));

describe('any schema', () => {
  it('that is valid gets valid inputs', () => {
    fc.assert(
      fc.property(anyInputSchema, (schema) => {
        const isValid = validatorOf(schema);
        for (const input of inputsOf(schema))
          expect({ input, isValid: isValid(input) }).toEqual({ input, isValid: true });
      }),
      { numRuns: 150 },
    );
  });

  it('that is any JSON at all gets inputs and positions, without an error', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'anyOf',
      'oneOf',
      'allOf',
      '$ref',
      'enum',
      'required',
      'pattern',
      'additionalProperties',
      'minItems',
      'prefixItems',
      'default',
      'minProperties',
      '$defs',
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('#', '#/properties', '#/$defs/a', 'object', 'array', 'string', 1e9, -1),
    );
    const odd = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        value,
        fc.dictionary(keyword, tie('node')),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(odd, (schema) => {
        const inputs = honestInputs(toolWith(schema), sampleWorld, { seed: 's', knowledge });
        for (const { input } of inputs) JSON.stringify(input);
        for (const position of positions(schema, knowledge)) withValue(inputFor(inputs, position), position, 'x');
      }),
      { numRuns: 400 },
    );
  });
});

describe('inputs of hostile schemas', () => {
  it('are bounded for large and endless schemas', () => {
    const wide = object(
      Object.fromEntries(
        Array.from({ length: 3000 }, (_, at) => [`p${at}`, { anyOf: [text, { type: 'null' }, { type: 'integer' }] }]),
      ),
    );
    expect(inputsOf(wide).length).toBeLessThanOrEqual(24);
    let deep: object = text;
    for (let level = 0; level < 500; level += 1) deep = object({ a: deep });
    expect(inputsOf(deep).length).toBeGreaterThan(0);
    const fan = (to: string) => ({ anyOf: Array.from({ length: 16 }, () => ({ $ref: `#/$defs/${to}` })) });
    const levels = Array.from({ length: 40 }, (_, at): [string, object] => [`l${at}`, fan(`l${at + 1}`)]);
    const fanned = { ...object({ a: { ...fan('l0'), default: 'x' } }), $defs: Object.fromEntries(levels) };
    expect(inputsOf(fanned).length).toBeGreaterThan(0);
    expect(positions(fanned, knowledge).length).toBeGreaterThan(0);
    const many = Array.from({ length: 50_000 }, (_, at) => `v${at}`);
    expect(inputsOf(object({ a: { enum: many, examples: many } }, many.slice(0, 5000))).length).toBeGreaterThan(0);
    const nest: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(inputsOf(object({ a: { const: nest }, b: { enum: [nest], default: nest } }))).toEqual([{}]);
    expect(inputsOf({ $ref: '#' })).toEqual([{}]);
    expect(inputsOf({ allOf: [{ $ref: '#' }] })).toEqual([{}]);
  });
});
