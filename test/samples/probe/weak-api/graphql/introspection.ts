import type { FieldDefinition, Schema, Types } from './schema.ts';

/** The types that a schema is described with, and the description of a schema as their objects. */

const one = (type: string): FieldDefinition => ({ type });
const many = (type: string): FieldDefinition => ({ type, isList: true });
const text = one('String');

export const introspectionTypes: Types = {
  __Schema: {
    description: text,
    types: many('__Type'),
    queryType: one('__Type'),
    mutationType: one('__Type'),
    subscriptionType: one('__Type'),
    directives: many('__Directive'),
  },
  __Type: {
    kind: text,
    name: text,
    description: text,
    specifiedByURL: text,
    isOneOf: one('Boolean'),
    fields: many('__Field'),
    interfaces: many('__Type'),
    possibleTypes: many('__Type'),
    enumValues: many('__EnumValue'),
    inputFields: many('__InputValue'),
    ofType: one('__Type'),
  },
  __Field: {
    name: text,
    description: text,
    args: many('__InputValue'),
    type: one('__Type'),
    isDeprecated: one('Boolean'),
    deprecationReason: text,
  },
  __InputValue: {
    name: text,
    description: text,
    type: one('__Type'),
    defaultValue: text,
    isDeprecated: one('Boolean'),
    deprecationReason: text,
  },
  __EnumValue: { name: text, description: text, isDeprecated: one('Boolean'), deprecationReason: text },
  __Directive: {
    name: text,
    description: text,
    isRepeatable: one('Boolean'),
    locations: many('String'),
    args: many('__InputValue'),
  },
};

const scalars = ['String', 'ID', 'Boolean', 'Int'];

interface TypeObject {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType: TypeObject | null;
  readonly [key: string]: unknown;
}

/** Fields are made when they are asked for: types name each other in circles. */
export function describe({ types, query, mutation }: Schema): unknown {
  const made = new Map<string, TypeObject>();
  const typeOf = ({ type, isList = false }: FieldDefinition): TypeObject => {
    const named = made.get(type) ?? { kind: 'SCALAR', name: type, ofType: null };
    return isList ? { kind: 'LIST', name: null, ofType: named } : named;
  };
  const inputs = (given: Readonly<Record<string, string>>): readonly unknown[] =>
    Object.entries(given).map(([name, type]) => ({ name, type: typeOf({ type }), defaultValue: null }));
  for (const name of scalars) made.set(name, { kind: 'SCALAR', name, ofType: null });
  for (const [name, fields] of Object.entries(types)) {
    made.set(name, {
      kind: 'OBJECT',
      name,
      ofType: null,
      interfaces: [],
      get fields() {
        return Object.entries(fields).map(([field, definition]) => ({
          name: field,
          args: inputs(definition.arguments ?? {}),
          type: typeOf(definition),
          isDeprecated: false,
        }));
      },
    });
  }
  return {
    types: [...made.values()],
    queryType: made.get(query) ?? null,
    mutationType: mutation === null ? null : (made.get(mutation) ?? null),
    subscriptionType: null,
    directives: [],
  };
}

export function describedType(schema: Schema, name: unknown): unknown {
  const { types } = describe(schema) as { readonly types: readonly TypeObject[] };
  return types.find((type) => type.name === name) ?? null;
}
