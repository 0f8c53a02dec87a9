import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nestedPath, skippedQuery } from './depth.ts';
import { type Field, readSchema, type Schema } from './introspection.ts';
import { parseOperation } from './sample-language.ts';

const field = (name: string, type: string | null, needsArguments = false): Field => ({ name, type, needsArguments });
const schemaOf = (types: Readonly<Record<string, readonly Field[]>>): Schema => ({
  query: 'Query',
  mutation: null,
  types: new Map(Object.entries(types)),
});

describe('a nested question', () => {
  it('goes round a circle that needs no arguments', () => {
    const circle = schemaOf({
      Query: [field('version', 'String'), field('user', 'User', true), field('me', 'User')],
      User: [field('id', 'ID'), field('posts', 'Post')],
      Post: [field('author', 'User')],
    });
    const path = nestedPath(circle, 5);
    expect(path).toEqual(['me', 'posts', 'author', 'posts', 'author']);
    const query = skippedQuery(path ?? []);
    expect(query).toBe('query{__typename me @skip(if:true){posts{author{posts{author{__typename}}}}}}');
    expect(() => parseOperation(query)).not.toThrow();
  });

  it.each([
    [schemaOf({ Query: [field('me', 'User', true)], User: [field('friend', 'User')] })],
    [schemaOf({ Query: [field('me', 'User')], User: [field('id', null)] })],
    [schemaOf({})],
    [{ ...schemaOf({}), query: null }],
  ])('is none where there is no circle (%#)', (schema) => {
    expect(nestedPath(schema, 12)).toBeNull();
  });

  it('is found, or given up, in a schema that is a thicket', () => {
    const names = Array.from({ length: 60 }, (_, at) => `T${at}`);
    const dense = Object.fromEntries(
      names.map((name, at) => [name, names.slice(at + 1).map((to) => field(`f${to}`, to))]),
    );
    const schema = schemaOf({ ...dense, Query: [field('root', 'T49')] });
    expect(nestedPath(schema, 12)).toBeNull();
    expect(nestedPath(schema, 11)).toHaveLength(11);
  });
});

describe('any schema', () => {
  it('is read, and only names of the language come out of it', () => {
    const word = fc.constantFrom(
      'types',
      'kind',
      'name',
      'fields',
      'args',
      'type',
      'ofType',
      'queryType',
      'defaultValue',
    );
    const leaf = fc.oneof(
      fc.constantFrom('OBJECT', 'NON_NULL', 'LIST', 'Query', 'a b', '}', '__proto__'),
      fc.integer(),
      fc.constant(null),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(word, tie('tree'), { maxKeys: 5 }),
      ),
    }));
    const type = fc.record({
      kind: fc.constantFrom('OBJECT', 'SCALAR'),
      name: fc.oneof(fc.string(), fc.constant('Query')),
      fields: fc.oneof(tree, fc.array(fc.record({ name: fc.string(), type: tree, args: tree }))),
    });
    const given = fc.oneof(tree, fc.record({ types: fc.array(type), queryType: fc.constant({ name: 'Query' }) }));
    fc.assert(
      fc.property(given, (value) => {
        const schema = readSchema(value);
        if (schema === null) return;
        for (const fields of schema.types.values())
          for (const { name } of fields) expect(name).toMatch(/^[A-Za-z_]\w*$/);
        nestedPath(schema, 12);
      }),
      { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) },
    );
  });
});
