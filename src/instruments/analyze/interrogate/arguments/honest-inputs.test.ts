import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { honestInputs, readKnowledge } from './honest-inputs.ts';
import { sampleWorld } from './sample-world.ts';

const knowledge = readKnowledge();
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

function toolWith(inputSchema: unknown, more: Partial<ListedTool> = {}): ListedTool {
  return { name: 'example', inputSchema, ...more };
}

function inputsOf(inputSchema: unknown, more: Partial<ListedTool> = {}): readonly unknown[] {
  return honestInputs(toolWith(inputSchema, more), sampleWorld, { seed: 'seed', knowledge }).map(({ input }) => input);
}

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
addFormats(ajv);

function validatorOf(schema: object): (value: unknown) => boolean {
  return ajv.compile(schema) as (value: unknown) => boolean;
}

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = Object.keys(properties), more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

const schemas: readonly (readonly [string, object])[] = [
  ['nothing required', object({ a: text, b: { type: 'integer' } }, [])],
  ['nested objects', object({ a: object({ b: object({ path: text }) }) })],
  [
    'lists of objects',
    object({ edits: { type: 'array', items: object({ oldText: text, newText: text }), minItems: 2 } }),
  ],
  [
    'ranges',
    object({
      a: { type: 'integer', minimum: 100, maximum: 200, multipleOf: 7 },
      b: { type: 'number', exclusiveMinimum: 0, maximum: 0.5 },
    }),
  ],
  ['enums and const', object({ a: { enum: ['x', 'y', 3] }, b: { const: { k: 1 } } })],
  [
    'formats',
    object(
      Object.fromEntries(
        [
          'uri',
          'email',
          'date-time',
          'date',
          'time',
          'uuid',
          'ipv4',
          'ipv6',
          'hostname',
          'regex',
          'uri-reference',
          'json-pointer',
          'duration',
        ].map((format) => [`f-${format}`, { type: 'string', format }]),
      ),
    ),
  ],
  [
    'patterns',
    object({
      code: { type: 'string', pattern: '^[A-Z]{3}-\\d{2,}$' },
      path: { type: 'string', pattern: '^[a-z0-9-]+$', maxLength: 10 },
    }),
  ],
  [
    'lengths',
    object({
      a: { type: 'string', minLength: 300 },
      b: { type: 'string', maxLength: 3 },
      c: { type: 'string', minLength: 1, maxLength: 1 },
    }),
  ],
  ['references', object({ a: { $ref: '#/$defs/entry' } }, ['a'], { $defs: { entry: object({ url: text }) } })],
  [
    'old references',
    object({ a: { $ref: '#/definitions/a%20b' } }, ['a'], { definitions: { 'a b': { type: 'integer' } } }),
  ],
  ['allOf', { allOf: [object({ a: text }), object({ b: { type: 'number' } })], type: 'object' }],
  [
    'allOf inside',
    object({
      a: {
        allOf: [
          { type: 'number', minimum: 5 },
          { type: 'integer', maximum: 6 },
        ],
      },
    }),
  ],
  [
    'oneOf',
    {
      type: 'object',
      oneOf: [object({ kind: { const: 'a' }, path: text }), object({ kind: { const: 'b' }, url: text })],
    },
  ],
  ['anyOf of types', object({ a: { anyOf: [{ type: 'integer' }, { type: 'array', items: text }, { type: 'null' }] } })],
  ['nullable', object({ a: { type: ['string', 'null'] } })],
  ['maps', object({ headers: { type: 'object', additionalProperties: text, minProperties: 2 } })],
  ['closed objects', object({ a: text }, ['a'], { additionalProperties: false })],
  ['required without a property', { type: 'object', required: ['path'] }],
  ['tuples', object({ a: { type: 'array', prefixItems: [text, { type: 'integer' }], items: false } })],
  [
    'unique items',
    object({
      a: { type: 'array', items: text, minItems: 4, uniqueItems: true },
      b: { type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true },
    }),
  ],
  ['contains', object({ a: { type: 'array', contains: { const: 7 }, items: { type: 'integer' } } })],
  ['dependent', object({ a: text, b: text }, ['a'], { dependentRequired: { a: ['b'] } })],
  [
    'recursive',
    object({ root: { $ref: '#/$defs/node' } }, ['root'], {
      $defs: { node: object({ name: text, children: { type: 'array', items: { $ref: '#/$defs/node' } } }, ['name']) },
    }),
  ],
  [
    'recursive union',
    { $ref: '#/$defs/e', type: 'object', $defs: { e: object({ of: { anyOf: [{ $ref: '#/$defs/e' }, text] } }) } },
  ],
  [
    'bad examples',
    object({ a: { type: 'integer', default: 'x', examples: ['y', null] }, b: { type: 'string', default: 7 } }),
  ],
  ['good examples', object({ a: { type: 'string', examples: ['see this'] } })],
];

describe('honest inputs', () => {
  it.each(schemas)('are valid: %s', (_, schema) => {
    const isValid = validatorOf(schema);
    const inputs = inputsOf(schema);
    expect(inputs.length).toBeGreaterThan(0);
    for (const input of inputs) expect({ input, isValid: isValid(input) }).toEqual({ input, isValid: true });
  });

  it('leave out what is optional, and then leave nothing out', () => {
    const [least, whole] = inputsOf(object({ path: text, limit: { type: 'integer' } }, ['path']));
    expect(least).toEqual({ path: '/planted/root/notes.txt' });
    expect(whole).toEqual({ path: '/planted/root/notes.txt', limit: 5 });
  });

  it('take every branch, also those behind others', () => {
    const inner = { oneOf: [object({ kind: { const: 'x' } }), object({ kind: { const: 'y' } })] };
    const schema = {
      type: 'object',
      oneOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' }, inner })],
    };
    const shown = JSON.stringify(inputsOf(schema));
    for (const kind of ['a', 'b', 'x', 'y']) expect(shown).toContain(`"kind":"${kind}"`);
  });

  it('try the values of an enum and both ways of a flag', () => {
    const shown = JSON.stringify(inputsOf(object({ mode: { enum: ['r', 's', 't'] }, isUrl: { type: 'boolean' } })));
    for (const part of ['"r"', '"s"', '"t"', 'true', 'false']) expect(shown).toContain(part);
  });

  it.each([
    ['path', '', '/planted/root/notes.txt'],
    ['jarFilePath', 'Path to the .jar file', '/planted/root/library.jar'],
    ['directory', '', '/planted/root/folder'],
    ['url', '', 'http://pages.example.net/notes.html'],
    ['hostname', '', 'pages.example.net'],
    ['repo_path', '', '/planted/root/repository'],
    ['db_path', '', '/planted/root/data.db'],
    ['sql', '', 'SELECT 1'],
    ['branch', '', 'main'],
    ['destination', '', '/planted/root/made-by-call.txt'],
  ])('name what exists: %s', (name, description, value) => {
    expect(inputsOf(object({ [name]: { ...text, description } }))[0]).toEqual({ [name]: value });
  });

  it('prefer an example, but not the path of another machine', () => {
    const schema = object({ title: { ...text, examples: ['Monday'] }, path: { ...text, default: '/home/ann/x.txt' } });
    expect(inputsOf(schema)[0]).toEqual({ title: 'Monday', path: '/planted/root/notes.txt' });
  });

  it.each([
    ['read_file', '', { path: '/planted/root/notes.txt' }],
    ['read_multiple_files', '', { paths: ['/planted/root/notes.txt'] }],
    ['list_directory', '', { path: '/planted/root/folder' }],
    ['move_file', '', { source: '/planted/root/notes.txt', destination: '/planted/root/made-by-call.txt' }],
    ['fetch', 'Fetches a page', { url: 'http://pages.example.net/notes.html' }],
    [
      'zap',
      'Does it.\n\nArgs:\n  url: where\n  limit (int): how many\n\nReturns: text',
      { url: 'http://pages.example.net/notes.html', limit: 5 },
    ],
    ['zap', 'Takes the parameter `repo_path`.', { repo_path: '/planted/root/repository' }],
    ['zap', 'Nothing is known.', {}],
  ])('are guessed for %s when the schema is lost (%s)', (name, description, input) => {
    const [first] = honestInputs(toolWith({ $schema: 'x' }, { name, description }), sampleWorld, {
      seed: 's',
      knowledge,
    });
    expect(first?.input).toEqual(input);
    expect(first?.isGuessed).toBe(Object.keys(input).length > 0);
  });

  it('are nothing for a tool that says it takes nothing', () => {
    expect(inputsOf({ type: 'object', properties: {} }, { name: 'read_file' })).toEqual([{}]);
  });

  it('follow from the seed', () => {
    const schema = object({ code: { type: 'string', pattern: '^[a-z]{12}$' } });
    expect(inputsOf(schema)).toEqual(inputsOf(schema));
  });
});
