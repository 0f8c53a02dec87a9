import { isObject } from '../../../../base/json-shape.ts';
import type { HonestInput } from './honest-inputs.ts';
import { jsonText } from './json-text.ts';
import { wordsOf } from './meaning.ts';
import type { Position } from './positions.ts';
import { recordOf } from './template.ts';

/** The same input with one position replaced; what leads to it is made where it is missing. The input stays as it is. */

const longestGap = 64;

function place(container: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const items: unknown[] = Array.isArray(container) ? [...container] : [];
    while (items.length < Math.min(key, longestGap)) items.push(null);
    items[key] = place(items[key], rest, value);
    return items;
  }
  const record = isObject(container) ? container : {};
  const before = Object.hasOwn(record, key) ? record[key] : undefined;
  return recordOf([...Object.entries(record).filter(([name]) => name !== key), [key, place(before, rest, value)]]);
}

export function withValue(
  input: Readonly<Record<string, unknown>>,
  position: Pick<Position, 'path'>,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const placed = place(input, position.path, value);
  return isObject(placed) ? placed : {};
}

export function valueAt(input: unknown, { path }: Pick<Position, 'path'>): unknown {
  let at = input;
  for (const key of path) {
    if (typeof key === 'number') at = Array.isArray(at) ? at[key] : undefined;
    else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

/** A switch of this name is on. */
function hasFlag(input: HonestInput['input'], flags: readonly string[]): boolean {
  return Object.entries(input).some(([name, value]) => {
    const words = wordsOf(name).split('-');
    return value === true && flags.some((flag) => words.includes(flag));
  });
}

/**
 * The honest input in which a position really occurs: with all of a branch around it that the tool checks, and with the
 * switches on that are asked for, where there is one with them.
 */
export function inputFor(
  inputs: readonly HonestInput[],
  position: Pick<Position, 'path'>,
  flags: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const having = inputs.filter(({ input }) => valueAt(input, position) !== undefined);
  const switched = having.filter(({ input }) => hasFlag(input, flags));
  // The smallest one: fewer arguments, fewer reasons to be refused.
  const [best] = (switched.length > 0 ? switched : having).toSorted((one, other) => sizeOf(one) - sizeOf(other));
  return (best ?? inputs[0])?.input ?? {};
}

function sizeOf({ input }: HonestInput): number {
  return (jsonText(input) ?? '').length;
}
