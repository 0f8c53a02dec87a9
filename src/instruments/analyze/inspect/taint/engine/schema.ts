import { bits, harmless } from './bits.ts';

/** What a schema lets through, as far as it matters to a sink. */
export interface Schema {
  readonly type: 'string' | 'harmless' | 'object' | 'array' | 'any';
  /** What a string of this schema is known to be free of. */
  readonly bits: number;
  readonly fields: ReadonlyMap<string, Schema> | undefined;
  readonly element: Schema | undefined;
}

export const anySchema: Schema = { type: 'any', bits: 0, fields: undefined, element: undefined };
export const textSchema: Schema = { ...anySchema, type: 'string' };
export const harmlessSchema: Schema = { ...anySchema, type: 'harmless', bits: harmless };

export function objectSchema(fields: ReadonlyMap<string, Schema>): Schema {
  return { ...anySchema, type: 'object', fields };
}

export function arraySchema(element: Schema | undefined): Schema {
  return { ...anySchema, type: 'array', element };
}

/** Either of two schemas. */
export function joinSchemas(schemas: readonly Schema[]): Schema {
  const [first, ...others] = schemas;
  if (first === undefined) return anySchema;
  return others.reduce((left, right) => {
    if (left.type === 'harmless' && right.type === 'harmless') return left;
    return { ...anySchema, type: 'any', bits: left.bits & right.bits };
  }, first);
}

/** Formats that leave nothing to a sink. A URL is not one of them. */
const strictFormats = new Set([
  'uuid',
  'guid',
  'cuid',
  'cuid2',
  'ulid',
  'nanoid',
  'datetime',
  'date',
  'time',
  'duration',
  'ip',
  'ipv4',
  'ipv6',
  'jwt',
  'iso',
  'hex',
  'e164',
]);

const harmlessMakers = new Set([
  'number',
  'int',
  'bigint',
  'boolean',
  'enum',
  'nativeEnum',
  'literal',
  'date',
  'null',
  'undefined',
  'void',
  'nan',
  'never',
  'int32',
  'uint32',
  'float32',
  'float64',
  'stringbool',
]);

/** `z.<name>(…)`: the schema that a maker makes, before its arguments are looked at. */
export function schemaOfMaker(name: string): Schema | undefined {
  if (harmlessMakers.has(name) || strictFormats.has(name)) return harmlessSchema;
  if (['string', 'email', 'url', 'base64', 'emoji', 'coerce'].includes(name)) return textSchema;
  if (['any', 'unknown', 'lazy', 'custom', 'instanceof', 'json', 'file'].includes(name)) return anySchema;
  return undefined;
}

export function narrowByFormat(schema: Schema, name: string): Schema {
  if (schema.type === 'string' && strictFormats.has(name)) return harmlessSchema;
  if (schema.type === 'string' && name === 'email')
    return { ...schema, bits: schema.bits | bits.component | bits.dash };
  return schema;
}

interface JsonShape {
  readonly type?: unknown;
  readonly enum?: unknown;
}

/** A JSON Schema of the low-level API is shown to the client and checked by nobody; it only says what was meant. */
export function isDeclaredHarmless(shape: JsonShape): boolean {
  return ['number', 'integer', 'boolean'].includes(String(shape.type)) || Array.isArray(shape.enum);
}
