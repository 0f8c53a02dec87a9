import { readField } from '../../engine/fields.ts';
import type { Machine } from '../../engine/machine.ts';
import type { HeapObject, Value } from '../../engine/value.ts';
import { keywordMark } from '../context.ts';

export interface Passed {
  readonly positional: readonly Value[];
  readonly keywords: Value | undefined;
}

function isKeywords(value: Value | undefined): boolean {
  return value?.objects.some((object) => object.fields.has(keywordMark)) === true;
}

/** The arguments of a call, apart from the record of keywords that may come last. */
export function passedOf(args: readonly Value[]): Passed {
  const last = args.at(-1);
  return isKeywords(last)
    ? { positional: args.slice(0, -1), keywords: last }
    : { positional: args, keywords: undefined };
}

/** What was given under a name; `undefined` as a constant is among it when it may be missing. */
export function keyword(machine: Machine, { keywords }: Passed, name: string, at: number): Value | undefined {
  if (keywords === undefined) return undefined;
  const isThere = keywords.objects.some(
    (object) => object.fields.has(name) || object.rest !== undefined || object.kind === 'arguments',
  );
  return isThere ? readField(machine, keywords, name, at) : undefined;
}

/** By position or by name. */
export function argumentAt(
  machine: Machine,
  args: readonly Value[],
  index: number,
  name: string,
  at: number,
): Value | undefined {
  const passed = passedOf(args);
  return passed.positional[index] ?? keyword(machine, passed, name, at);
}

/** What a `**` parameter is given: the keywords without those that have a parameter of their own. */
export function remaining(
  machine: Machine,
  { keywords }: Passed,
  taken: ReadonlySet<string>,
  at: number,
): { readonly own: HeapObject; readonly value: Value } {
  const own = machine.allocate('object', { at });
  for (const object of keywords?.objects ?? []) {
    for (const [name, field] of object.fields)
      if (name !== keywordMark && !taken.has(name)) own.fields.set(name, field);
    if (object.rest !== undefined) own.rest = object.rest;
  }
  const others = (keywords?.objects ?? []).filter((object) => object.kind === 'arguments');
  const value: Value = { ...(keywords ?? emptyValue), objects: [own, ...others], implies: undefined };
  return { own, value };
}

const emptyValue: Value = {
  taints: [],
  constants: [],
  closures: [],
  objects: [],
  externals: [],
  isOpen: false,
  schema: undefined,
  shape: undefined,
  regex: undefined,
  role: undefined,
  text: undefined,
  endsWithSeparator: false,
  implies: undefined,
};
