import { bitsWhenMatching } from '../engine/alphabet.ts';
import { bits } from '../engine/bits.ts';
import { call } from '../engine/call.ts';
import { bitsFor } from '../engine/facts.ts';
import { wholeTaint } from '../engine/fields.ts';
import type { Machine } from '../engine/machine.ts';
import {
  anySchema,
  arraySchema,
  joinSchemas,
  narrowByFormat,
  objectSchema,
  type Schema,
  schemaOfMaker,
  textSchema,
} from '../engine/schema.ts';
import {
  extents,
  implicationOf,
  nothing,
  ofObject,
  type Taint,
  tainted,
  unknown,
  type Value,
} from '../engine/value.ts';

/** Schemas in the manner of zod: what they let through, and what `parse` makes of data. */

export function ofSchema(schema: Schema): Value {
  return { ...nothing, schema };
}

/** A schema given as itself or as a record of its fields. */
export function schemaOf(value: Value | undefined): Schema | undefined {
  if (value === undefined) return undefined;
  if (value.schema !== undefined) return value.schema;
  const fields = new Map<string, Schema>();
  for (const object of value.objects) {
    for (const [name, field] of object.fields) if (field.schema !== undefined) fields.set(name, field.schema);
  }
  return fields.size > 0 ? objectSchema(fields) : undefined;
}

function fieldsOf(value: Value | undefined): Map<string, Schema> {
  const fields = new Map<string, Schema>();
  for (const object of value?.objects ?? []) {
    for (const [name, field] of object.fields) fields.set(name, field.schema ?? anySchema);
  }
  return fields;
}

/** `z.<name>(…)`. */
export function makeSchema(name: string, args: readonly Value[]): Value {
  const [first, second] = args;
  if (name === 'object' || name === 'strictObject' || name === 'looseObject')
    return ofSchema(objectSchema(fieldsOf(first)));
  if (name === 'array' || name === 'set') return ofSchema(arraySchema(first?.schema));
  if (name === 'record' || name === 'map')
    return ofSchema(second?.schema === undefined ? anySchema : arraySchema(second.schema));
  if (name === 'union' || name === 'discriminatedUnion' || name === 'tuple') {
    const options =
      (name === 'discriminatedUnion' ? second : first)?.objects.flatMap((object) => object.elements ?? []) ?? [];
    return ofSchema(joinSchemas(options.map((option) => option.schema ?? anySchema)));
  }
  if (['optional', 'nullable', 'preprocess', 'effects', 'pipeline'].includes(name))
    return ofSchema((second ?? first)?.schema ?? anySchema);
  return ofSchema(schemaOfMaker(name) ?? anySchema);
}

/** A method of a schema: another schema, or data that went through it. */
export function applySchema(machine: Machine, schema: Schema, name: string, args: readonly Value[], at: number): Value {
  const [first] = args;
  switch (name) {
    case 'parse':
    case 'parseAsync':
      return narrow(machine, first ?? unknown, schema, at);
    case 'safeParse':
    case 'safeParseAsync':
    case 'spa': {
      const result = machine.allocate('object', { at });
      result.fields.set('success', unknown);
      result.fields.set('data', narrow(machine, first ?? unknown, schema, at));
      result.fields.set('error', unknown);
      return ofObject(result);
    }
    case 'regex': {
      const expression = first?.regex;
      const granted = expression === undefined ? 0 : bitsWhenMatching(expression.source, expression.flags);
      return ofSchema({ ...schema, bits: schema.bits | granted });
    }
    case 'startsWith':
      return ofSchema(
        /^https?:\/\/[^/]+\//.test(first?.text ?? '') ? { ...schema, bits: schema.bits | bits.hostAllowed } : schema,
      );
    case 'refine':
    case 'check':
      return ofSchema(refined(machine, schema, first, at));
    case 'transform':
    case 'pipe':
    case 'overwrite':
      return ofSchema(first?.schema ?? schema);
    case 'extend':
    case 'merge':
    case 'augment':
    case 'safeExtend':
      return ofSchema(objectSchema(new Map([...(schema.fields ?? []), ...(first?.schema?.fields ?? fieldsOf(first))])));
    case 'array':
      return ofSchema(arraySchema(schema));
    case 'or':
      return ofSchema(joinSchemas([schema, first?.schema ?? anySchema]));
    default:
      return ofSchema(narrowByFormat(schema, name));
  }
}

/** `.refine(isSafe)` is a guard like any other: what follows when it says yes is known of the data. */
function refined(machine: Machine, schema: Schema, predicate: Value | undefined, at: number): Schema {
  if (predicate === undefined || predicate.closures.length === 0) return schema;
  const label = '#refined';
  const taint: Taint = {
    label,
    bits: bits.exact,
    extent: extents.whole,
    trace: machine.trace(at, 'refined', undefined),
  };
  const before = machine.facts;
  const result = call(machine, predicate, [tainted([taint])], at);
  machine.facts = before;
  const { whenTrue } = implicationOf(result);
  return whenTrue.kind === 'impossible' ? schema : { ...schema, bits: schema.bits | bitsFor(whenTrue, label) };
}

/** Data after `parse`. Parsing keeps the taint; only what a schema excludes is gone. */
export function narrow(machine: Machine, value: Value, schema: Schema, at: number): Value {
  const isArguments = value.objects.some((object) => object.kind === 'arguments');
  if (isArguments && schema.type !== 'harmless') {
    const narrowed = machine.allocate('arguments', { schema, at });
    return { ...ofObject(narrowed), taints: [wholeTaint(machine, at)] };
  }
  if (value.taints.length === 0) return value;
  const granted = schema.type === 'array' ? (schema.element?.bits ?? 0) : schema.bits;
  return { ...value, shape: schema, taints: value.taints.map((taint) => ({ ...taint, bits: taint.bits | granted })) };
}

/** A JSON Schema as a literal: fields are known, and nobody enforces them. */
export function declaredSchema(value: Value | undefined): Schema | undefined {
  const properties = value?.objects.map((object) => object.fields.get('properties')).find((one) => one !== undefined);
  if (properties === undefined) return undefined;
  const fields = new Map<string, Schema>();
  for (const object of properties.objects) for (const name of object.fields.keys()) fields.set(name, textSchema);
  return fields.size === 0 ? undefined : objectSchema(fields);
}
