import type { ClassIr, Constant, FunctionIr } from '../ir.ts';
import type { Activation } from './activation.ts';
import { joinBits } from './bits.ts';
import { type Facts, impossible, joinFacts, noFacts } from './facts.ts';
import type { Schema } from './schema.ts';

/** How data came to where it is, newest step first. */
export interface Trace {
  readonly module: number;
  readonly at: number;
  readonly text: string;
  readonly before: Trace | undefined;
  readonly length: number;
}

/** Where in a text the tainted part stands: it is all of it, begins it, or something else comes first. */
export const extents = { whole: 0, start: 1, inside: 2 } as const;
export type Extent = (typeof extents)[keyof typeof extents];

export interface Taint {
  /** The argument: `path`, or `*` for all of them at once. */
  readonly label: string;
  readonly bits: number;
  readonly extent: Extent;
  readonly trace: Trace;
}

export interface Closure {
  readonly function: FunctionIr;
  readonly scope: Activation | undefined;
  readonly receiver: Value | undefined;
  /** The class that a method belongs to, for `super`. */
  readonly home: HeapObject | undefined;
  /** The `name` or the key of the object that it was taken from: `tools.find(…).handler`. */
  readonly owner: string | undefined;
}

/** Something of the language or of a package that is not analysed: `node:fs` and then `promises`, `readFile`. */
export interface External {
  readonly module: string;
  readonly path: readonly string[];
  /** Both in one, to compare by. */
  readonly name: string;
  readonly receiver: Value | undefined;
}

export type HeapKind = 'object' | 'array' | 'collection' | 'class' | 'arguments' | 'promise';

/** Objects are shared and changed in place; what is written is added to what was there. */
export interface HeapObject {
  readonly id: number;
  readonly kind: HeapKind;
  readonly fields: Map<string, Value>;
  /** Elements in order while their number is known. */
  elements: Value[] | undefined;
  /** Everything under a name or index that is not known. */
  rest: Value | undefined;
  readonly definition:
    | { readonly class: ClassIr; readonly scope: Activation | undefined; readonly module: number }
    | undefined;
  prototype: HeapObject | undefined;
  /** For an `arguments` object: the schema that the arguments went through. */
  readonly schema: Schema | undefined;
  /** What had been checked where it was returned: `return { ok: false }`. */
  returned: Facts | undefined;
  readonly at: number;
  readonly module: number;
}

/** What follows for the arguments when a value turns out true or false. */
export interface Implication {
  readonly whenTrue: Facts;
  readonly whenFalse: Facts;
}

export type Role = 'environment' | 'tool-name' | 'package-path' | 'separator' | 'is-ip' | 'position';

export interface Value {
  readonly taints: readonly Taint[];
  readonly constants: readonly Constant[];
  readonly closures: readonly Closure[];
  readonly objects: readonly HeapObject[];
  readonly externals: readonly External[];
  /** It may also be something that nothing is known about. */
  readonly isOpen: boolean;
  /** It is a schema. */
  readonly schema: Schema | undefined;
  /** It is data that went through a schema. */
  readonly shape: Schema | undefined;
  readonly regex: { readonly source: string; readonly flags: string } | undefined;
  readonly role: Role | undefined;
  /** What is known of a text that is put together: its constant pieces. */
  readonly text: string | undefined;
  readonly endsWithSeparator: boolean;
  readonly implies: Implication | undefined;
}

const none: readonly never[] = [];

export const unknown: Value = {
  taints: none,
  constants: none,
  closures: none,
  objects: none,
  externals: none,
  isOpen: true,
  schema: undefined,
  shape: undefined,
  regex: undefined,
  role: undefined,
  text: undefined,
  endsWithSeparator: false,
  implies: undefined,
};

export const nothing: Value = { ...unknown, isOpen: false };

export function constant(value: Constant): Value {
  return { ...nothing, constants: [value], text: typeof value === 'string' ? value : undefined };
}

export const undefinedValue = constant(undefined);

export function tainted(taints: readonly Taint[]): Value {
  return taints.length === 0 ? unknown : { ...unknown, taints };
}

export function ofObject(object: HeapObject): Value {
  return { ...nothing, objects: [object] };
}

export function ofClosure(closure: Closure): Value {
  return { ...nothing, closures: [closure] };
}

const mostNames = 3;

export function ofExternal(module: string, path: readonly string[] = none, receiver?: Value): Value {
  // A chain of calls on a package's objects goes on for ever; where it began and where it is are enough.
  const kept = path.length <= mostNames ? path : [...path.slice(0, 2), path[path.length - 1] ?? ''];
  return { ...nothing, externals: [{ module, path: kept, name: `${module}.${kept.join('.')}`, receiver }] };
}

export function ofBoolean(implies: Implication): Value {
  return { ...unknown, implies };
}

/** The only constant that it can be. */
export function onlyConstant(value: Value): { readonly value: Constant } | undefined {
  const isPlain =
    value.constants.length === 1 &&
    !value.isOpen &&
    value.objects.length + value.closures.length + value.externals.length === 0;
  return isPlain ? { value: value.constants[0] } : undefined;
}

export function onlyText(value: Value): string | undefined {
  const only = onlyConstant(value);
  return typeof only?.value === 'string' ? only.value : undefined;
}

/** True, false, or undefined when both are possible. */
export function truth(value: Value): boolean | undefined {
  if (value.isOpen || value.taints.length > 0) return undefined;
  const things = value.objects.length + value.closures.length + value.externals.length;
  const isAlwaysTrue = value.constants.every(Boolean);
  if (isAlwaysTrue && things + value.constants.length > 0) return true;
  if (things === 0 && value.constants.length > 0 && value.constants.every((one) => !one)) return false;
  return undefined;
}

const mostTaints = 24;
const mostThings = 32;
const mostExternals = 6;

function union<Item>(
  left: readonly Item[],
  right: readonly Item[],
  same: (left: Item, right: Item) => boolean,
): readonly Item[] {
  if (right.length === 0 || left === right) return left;
  if (left.length === 0) return right;
  const added = right.filter((item) => !left.some((other) => same(item, other)));
  return added.length === 0 ? left : [...left, ...added].slice(0, mostThings);
}

export function joinTaints(left: readonly Taint[], right: readonly Taint[]): readonly Taint[] {
  if (right.length === 0 || left === right) return left;
  if (left.length === 0) return right;
  const joined = [...left];
  for (const taint of right) {
    const at = joined.findIndex((other) => other.label === taint.label);
    const other = joined[at];
    if (other === undefined) joined.push(taint);
    else {
      joined[at] = {
        label: taint.label,
        bits: joinBits(other.bits, taint.bits),
        extent: Math.min(other.extent, taint.extent) as Extent,
        trace: other.trace.length <= taint.trace.length ? other.trace : taint.trace,
      };
    }
  }
  return joined.slice(0, mostTaints);
}

const sameClosure = (left: Closure, right: Closure) =>
  left.function === right.function &&
  left.scope === right.scope &&
  left.receiver === right.receiver &&
  left.owner === right.owner;
const sameExternal = (left: External, right: External) => left.name === right.name;

export function join(left: Value, right: Value): Value {
  if (left === right || right === nothing) return left;
  if (left === nothing) return right;
  return {
    taints: joinTaints(left.taints, right.taints),
    constants: union(left.constants, right.constants, Object.is),
    closures: union(left.closures, right.closures, sameClosure),
    objects: union(left.objects, right.objects, (one, other) => one === other),
    externals: union(left.externals, right.externals, sameExternal).slice(0, mostExternals),
    isOpen: left.isOpen || right.isOpen,
    schema: left.schema ?? right.schema,
    shape: left.shape ?? right.shape,
    regex: left.regex ?? right.regex,
    role: left.role === right.role ? left.role : undefined,
    text: left.text ?? right.text,
    // `root.endsWith(sep) ? root : root + sep`
    endsWithSeparator: left.endsWithSeparator || right.endsWithSeparator,
    implies: joinImplications(left, right),
  };
}

export function joinAll(values: readonly Value[]): Value {
  return values.reduce(join, nothing);
}

/** A constant implies that the other outcome cannot be. */
export function implicationOf(value: Value): Implication {
  if (value.implies !== undefined) return value.implies;
  const known = truth(value);
  return { whenTrue: known === false ? impossible : noFacts, whenFalse: known === true ? impossible : noFacts };
}

function joinImplications(left: Value, right: Value): Implication | undefined {
  if (left.implies === undefined && right.implies === undefined) return undefined;
  const [one, other] = [implicationOf(left), implicationOf(right)];
  return { whenTrue: joinFacts(one.whenTrue, other.whenTrue), whenFalse: joinFacts(one.whenFalse, other.whenFalse) };
}
