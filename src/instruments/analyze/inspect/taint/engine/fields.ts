import { bits, harmless } from './bits.ts';
import { call } from './call.ts';
import { addFacts, partLabel } from './facts.ts';
import type { Machine } from './machine.ts';
import { anySchema, type Schema } from './schema.ts';
import { piece, transform } from './text.ts';
import {
  constant,
  extents,
  type HeapObject,
  implicationOf,
  join,
  joinAll,
  nothing,
  ofExternal,
  type Taint,
  tainted,
  undefinedValue,
  unknown,
  type Value,
} from './value.ts';

const mostElements = 400;

/** Properties of a URL that decide where a request goes. */
const hostProperties = new Set(['hostname', 'host', 'origin']);
const numberProperties = new Set(['length', 'size', 'byteLength']);

export function readField(machine: Machine, value: Value, name: string, at: number): Value {
  if (value.schema !== undefined) return readSchema(value, value.schema, name);
  let result: Value = nothing;
  for (const object of value.objects) result = join(result, readObject(machine, object, name, at));
  for (const external of value.externals)
    result = join(result, readExternal(external.module, external.path, name, value));
  for (const closure of value.closures) if (name === 'name') result = join(result, constant(closure.function.name));
  if (value.taints.length > 0 && value.objects.length === 0) result = join(result, readTainted(value, name));
  else if (value.isOpen || value.constants.length > 0 || result === nothing) result = join(result, unknown);
  return result;
}

/** `Schema.shape` is the record of its fields, which is as good as the schema. */
function readSchema(value: Value, schema: Schema, name: string): Value {
  const field = schema.fields?.get(name);
  if (field !== undefined) return { ...nothing, schema: field };
  if (name === 'element' && schema.element !== undefined) return { ...nothing, schema: schema.element };
  return ['shape', '_def', 'def', '_zod', 'schema'].includes(name) ? value : unknown;
}

function readExternal(module: string, path: readonly string[], name: string, receiver: Value): Value {
  if (module === 'process' && path[0] === 'env') return { ...unknown, role: 'environment' };
  if (module === 'process' && path.length === 0 && name === 'platform') return constant('linux');
  if (/^(?:node:)?path(?:\/posix)?$/.test(module) && name === 'sep')
    return { ...constant('/'), role: 'separator', endsWithSeparator: true };
  if (module === 'import.meta') return { ...unknown, role: 'package-path' };
  if (name === 'default') return ofExternal(module, path);
  return ofExternal(module, [...path, name], receiver);
}

/** The field of an argument is an argument of its own, as deep as one cares to look. */
function readTainted(value: Value, name: string): Value {
  if (numberProperties.has(name)) return transform(value, { drop: bits.exact, grant: harmless });
  if (hostProperties.has(name)) return transform(value, { drop: bits.exact, grant: bits.host });
  const schema = value.shape?.fields?.get(name);
  const isIndex = /^\d+$/.test(name);
  const taints = value.taints.map((taint): Taint => {
    const isDeep =
      isIndex || taint.label === '*' || taint.label.split('.').length > 3 || (taint.bits & bits.exact) === 0;
    return {
      ...taint,
      label: isIndex ? partLabel(taint.label, name) : isDeep ? taint.label : `${taint.label}.${name}`,
      bits: taint.bits | (schema?.bits ?? 0),
      extent: extents.whole,
    };
  });
  return { ...tainted(taints), shape: isIndex ? value.shape?.element : schema };
}

function readObject(machine: Machine, object: HeapObject, name: string, at: number): Value {
  if (object.kind === 'arguments') return readArgument(machine, object, name, at);
  const own = object.fields.get(name);
  if (own !== undefined) return withOwner(annotate(own, object), object, name);
  if (object.elements !== undefined && /^\d+$/.test(name)) {
    return object.elements[Number(name)] ?? object.rest ?? undefinedValue;
  }
  if (object.elements !== undefined && name === 'length')
    return object.rest === undefined ? constant(object.elements.length) : unknown;
  const inherited = readPrototype(machine, object, name);
  if (inherited !== undefined) return inherited;
  if (object.rest !== undefined) return join(object.rest, unknown);
  return object.kind === 'object'
    ? annotate({ ...undefinedValue, isOpen: object.definition !== undefined || object.prototype !== undefined }, object)
    : unknown;
}

/** A field of what a function returned tells which of its ways was taken. */
function annotate(value: Value, object: HeapObject): Value {
  if (object.returned === undefined || value.taints.length > 0) return value;
  const implies = implicationOf(value);
  return {
    ...value,
    implies: {
      whenTrue: addFacts(object.returned, implies.whenTrue),
      whenFalse: addFacts(object.returned, implies.whenFalse),
    },
  };
}

/** Remembers under which name a function stood: in a table of tools that is the tool's name. */
function withOwner(value: Value, object: HeapObject, name: string): Value {
  if (value.closures.length === 0) return value;
  const named = object.fields.get('name')?.constants.find((one) => typeof one === 'string');
  const owner = typeof named === 'string' ? named : name;
  const receiver: Value = { ...nothing, objects: [object] };
  return {
    ...value,
    closures: value.closures.map((closure) => ({
      ...closure,
      owner: closure.owner ?? owner,
      receiver: closure.receiver ?? receiver,
    })),
  };
}

function readPrototype(machine: Machine, object: HeapObject, name: string): Value | undefined {
  for (let type = object.prototype, hops = 0; type !== undefined && hops < 16; type = type.prototype, hops += 1) {
    const method = type.fields.get(`#${name}`);
    if (method !== undefined) {
      const receiver: Value = { ...nothing, objects: [object] };
      const bound = { ...method, closures: method.closures.map((closure) => ({ ...closure, receiver, home: type })) };
      const isGetter = type.fields.has(`get ${name}`);
      return isGetter ? call(machine, bound, [], 0) : bound;
    }
  }
  return undefined;
}

function readArgument(machine: Machine, object: HeapObject, name: string, at: number): Value {
  const written = object.fields.get(name);
  if (written !== undefined) return written;
  const schema: Schema | undefined = object.schema?.fields?.get(name);
  if (
    object.schema?.fields !== undefined &&
    schema === undefined &&
    ['params', 'arguments', 'input', 'context'].includes(name)
  ) {
    return { ...nothing, objects: [object], taints: [wholeTaint(machine, at)] };
  }
  const trace = machine.trace(at, `argument ${name}`, undefined);
  const taint: Taint = { label: name, bits: bits.exact | (schema?.bits ?? 0), extent: extents.whole, trace };
  return { ...tainted([taint]), shape: schema ?? anySchema };
}

export function wholeTaint(machine: Machine, at: number): Taint {
  return { label: '*', bits: 0, extent: extents.start, trace: machine.trace(at, 'all arguments', undefined) };
}

/** An index that is not known may be any. */
export function readElement(machine: Machine, value: Value, index: Value, at: number): Value {
  const name = index.constants.length === 1 && !index.isOpen ? String(index.constants[0]) : undefined;
  if (name !== undefined) return readField(machine, value, name, at);
  const parts: Value[] = [];
  for (const object of value.objects) {
    if (object.kind === 'arguments') parts.push(tainted([wholeTaint(machine, at)]));
    parts.push(...(object.elements ?? []));
    for (const [key, field] of object.fields) parts.push(withOwner(field, object, key));
    if (object.rest !== undefined) parts.push(object.rest);
  }
  if (value.taints.length > 0 && value.objects.length === 0)
    parts.push({ ...piece(value), taints: value.taints, shape: value.shape?.element });
  return parts.length === 0 ? unknown : join(joinAll(parts), unknown);
}

/** What one turn of a loop over it sees. */
export function elementOf(machine: Machine, value: Value, at: number): Value {
  return readElement(machine, value, unknown, at);
}

export function writeField(machine: Machine, object: HeapObject, name: string, value: Value, isCertain: boolean): void {
  machine.touch(object);
  const before = object.fields.get(name);
  object.fields.set(name, before === undefined || isCertain ? value : join(before, value));
}

export function writeElement(machine: Machine, object: HeapObject, value: Value): void {
  machine.touch(object);
  object.rest = object.rest === undefined ? value : join(object.rest, value);
}

/** What outlives a handler is not told apart: it would grow with every handler that is walked. */
export function append(machine: Machine, object: HeapObject, value: Value): void {
  const isLasting = machine.isServing && object.id <= machine.lastingObject;
  if (!isLasting && object.elements !== undefined && object.elements.length < mostElements && object.rest === undefined)
    object.elements.push(value);
  else writeElement(machine, object, value);
}
