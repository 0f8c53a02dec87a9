import { writeField } from '../../engine/fields.ts';
import type { Machine } from '../../engine/machine.ts';
import type { Model } from '../../engine/program.ts';
import {
  constant,
  type HeapObject,
  ofObject,
  onlyText,
  undefinedValue,
  unknown,
  type Value,
} from '../../engine/value.ts';
import { keyword, type Passed, passedOf, remaining } from './arguments.ts';
import { declaredFields, isValidating, narrowed } from './types.ts';

function passedIn(list: Value | undefined): Passed & { readonly rest: Value | undefined } {
  const [object] = list?.objects ?? [];
  return { ...passedOf(object?.elements ?? []), rest: object?.rest };
}

/** Sorts what was passed into parameters, which are given as `name`, `name?` with a default, `*rest`, `=keyword` and `**others`. */
export const bindParameters: Model = (machine, [list, ...names], at) => {
  const passed = passedIn(list);
  const bound = machine.allocate('object', { at });
  const parameters = names.map((name) => onlyText(name) ?? '');
  const plain = new Set(parameters.map((name) => name.replace(/^[*=]+|\?$/g, '')));
  let next = 0;
  for (const parameter of parameters) {
    const name = parameter.replace(/^[*=]+|\?$/g, '');
    if (parameter.startsWith('**')) bound.fields.set(name, remaining(machine, passed, plain, at).value);
    else if (parameter.startsWith('*')) {
      const others = machine.allocate('array', { elements: passed.positional.slice(next) });
      others.rest = passed.rest;
      bound.fields.set(name, ofObject(others));
      next = passed.positional.length;
    } else {
      const positional = parameter.startsWith('=') ? undefined : passed.positional[next];
      if (positional !== undefined) next += 1;
      const given = positional ?? keyword(machine, passed, name, at) ?? passed.rest;
      const missing = parameter.endsWith('?') ? undefinedValue : unknown;
      bound.fields.set(name, given ?? missing);
    }
  }
  return ofObject(bound);
};

/** Gives the fields of an instance what the class was called with. */
export const fillFields: Model = (machine, [self, list], at) => {
  const passed = passedIn(list);
  for (const instance of self?.objects ?? []) fill(machine, instance, passed, at);
  return constant(null);
};

export function fill(machine: Machine, instance: HeapObject, passed: Passed, at: number): void {
  const type = instance.prototype;
  if (type === undefined) return;
  const isChecked = isValidating(type);
  let index = 0;
  for (const [name, schema] of declaredFields(type)) {
    const given = passed.positional[index] ?? keyword(machine, passed, name, at);
    index += 1;
    if (given === undefined) continue;
    const value = isChecked ? narrowed(given, schema) : given;
    const isCertain = !value.constants.includes(undefined);
    writeField(machine, instance, name, value, isCertain);
  }
}
