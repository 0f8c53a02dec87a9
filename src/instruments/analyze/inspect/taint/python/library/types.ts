import { bitsWhenMatching } from '../../engine/alphabet.ts';
import type { Model } from '../../engine/program.ts';
import {
  anySchema,
  arraySchema,
  harmlessSchema,
  joinSchemas,
  objectSchema,
  type Schema,
  textSchema,
} from '../../engine/schema.ts';
import { type HeapObject, nothing, onlyText, unknown, type Value } from '../../engine/value.ts';
import { keyword, passedOf } from './arguments.ts';
import { javaScriptSource } from './expressions.ts';

/** What types in signatures and classes let through, as far as it matters to a sink. */

const harmlessTypes = new Set([
  'int',
  'float',
  'bool',
  'complex',
  'None',
  'NoneType',
  'UUID',
  'UUID1',
  'UUID4',
  'datetime',
  'date',
  'time',
  'timedelta',
  'Decimal',
  'PositiveInt',
  'NonNegativeInt',
  'NegativeInt',
  'PositiveFloat',
  'NonNegativeFloat',
  'StrictInt',
  'StrictBool',
  'StrictFloat',
  'Literal',
  'LiteralString',
  'conint',
  'confloat',
  'IPv4Address',
  'IPv6Address',
  'AwareDatetime',
  'Enum',
]);
const listTypes = new Set([
  'list',
  'List',
  'Sequence',
  'Iterable',
  'set',
  'Set',
  'FrozenSet',
  'frozenset',
  'tuple',
  'Tuple',
]);
const enumBases = new Set(['Enum', 'StrEnum', 'IntEnum', 'Flag', 'IntFlag']);
const checkedBases = new Set(['BaseModel', 'RootModel', 'BaseSettings', 'SQLModel']);

function ofSchema(schema: Schema): Value {
  return { ...nothing, schema };
}

function lastName(value: Value | undefined): string {
  const external = value?.externals[0];
  return external === undefined ? '' : (external.path.at(-1) ?? external.module);
}

/** All classes that a class is made of, itself first. */
function* ancestors(type: HeapObject): Generator<Value | HeapObject> {
  const seen = new Set<HeapObject>();
  const queue = [type];
  for (let next = queue.shift(); next !== undefined && seen.size < 32; next = queue.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    yield next;
    for (const base of next.fields.get('#bases')?.objects.flatMap((list) => list.elements ?? []) ?? []) {
      queue.push(...base.objects.filter((object) => object.kind === 'class'));
      yield base;
    }
  }
}

function hasBase(type: HeapObject, names: ReadonlySet<string>): boolean {
  for (const one of ancestors(type)) if ('taints' in one && names.has(lastName(one))) return true;
  return false;
}

/** Classes that refuse what does not fit their fields. */
export function isValidating(type: HeapObject): boolean {
  return hasBase(type, checkedBases);
}

/** Fields of a class and of those that it is made of, in order. */
export function declaredFields(type: HeapObject): ReadonlyMap<string, Schema> {
  const fields = new Map<string, Schema>();
  const types = [...ancestors(type)].filter((one): one is HeapObject => 'fields' in one).reverse();
  for (const one of types) {
    for (const object of one.fields.get('#annotations')?.objects ?? []) {
      for (const [name, value] of object.fields) fields.set(name, schemaOf(value));
    }
  }
  return fields;
}

/** The schema of an annotation, with what a `Field(…)` beside it adds. */
export function schemaOf(value: Value): Schema {
  const parts = value.objects.flatMap((object) => (object.kind === 'array' ? (object.elements ?? []) : []));
  if (parts.length > 0) return withFields(parts[0]?.schema ?? anySchema, parts.slice(1));
  return value.schema ?? anySchema;
}

export function withFields(schema: Schema, others: readonly Value[]): Schema {
  const granted = others.reduce(
    (all, other) => (other.regex === undefined ? all : all | bitsWhenMatching(other.regex.source, other.regex.flags)),
    0,
  );
  return { ...schema, bits: schema.bits | granted };
}

export function narrowed(value: Value, schema: Schema): Value {
  if (value.taints.length === 0) return value;
  const granted = schema.type === 'array' ? (schema.element?.bits ?? 0) : schema.bits;
  return { ...value, shape: schema, taints: value.taints.map((taint) => ({ ...taint, bits: taint.bits | granted })) };
}

function schemaOfType(value: Value | undefined): Schema {
  if (value === undefined) return anySchema;
  if (value.schema !== undefined) return value.schema;
  if (value.constants.length === 1 && value.constants[0] === null) return harmlessSchema;
  const [type] = value.objects.filter((object) => object.kind === 'class');
  if (type !== undefined) return hasBase(type, enumBases) ? harmlessSchema : objectSchema(declaredFields(type));
  const name = lastName(value);
  if (harmlessTypes.has(name)) return harmlessSchema;
  return name === 'str' ? textSchema : anySchema;
}

/** Either type; one that may be missing is what it is when it is there. */
function unite(schemas: readonly Schema[]): Schema {
  const given = schemas.filter((schema) => schema.type !== 'harmless');
  const [only] = given;
  if (only === undefined) return harmlessSchema;
  return given.length === 1 ? only : joinSchemas(given);
}

export const typeModels: Readonly<Record<string, Model>> = {
  // The server's own context is no argument; it stays what it is, so that it can be told.
  'builtins.#schema': (_machine, [type]) =>
    lastName(type) === 'Context' && type !== undefined ? type : ofSchema(schemaOfType(type)),
  'builtins.#union': (_machine, types) => ofSchema(unite(types.map(schemaOfType))),
  'builtins.#annotated': (_machine, [type, ...others]) => ofSchema(withFields(schemaOfType(type), others)),
  'builtins.#generic': (_machine, [maker, ...types]) => {
    const name = lastName(maker);
    if (name === 'Context' && maker !== undefined) return maker;
    if (name === 'Literal') return ofSchema(harmlessSchema);
    if (name === 'Optional' || name === 'Union') return ofSchema(unite(types.map(schemaOfType)));
    return ofSchema(listTypes.has(name) ? arraySchema(schemaOfType(types[0])) : anySchema);
  },
  'pydantic.Field': (machine, args, at) => {
    const pattern = keyword(machine, passedOf(args), 'pattern', at) ?? keyword(machine, passedOf(args), 'regex', at);
    const source = pattern === undefined ? undefined : onlyText(pattern);
    return source === undefined ? unknown : { ...unknown, regex: { source: javaScriptSource(source), flags: '' } };
  },
};
