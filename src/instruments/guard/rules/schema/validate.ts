import { canonicalJson } from '../../../../base/fingerprint.ts';
import { isObject, type JsonObject } from '../../../../base/json-shape.ts';
import { isRawNumber } from '../../stream/exact-json.ts';
import { compileLinear } from '../pattern/linear.ts';

/**
 * Whether a value fits a JSON Schema that a policy gives for an argument. A small part of the language, all of it bounded;
 * a word that is not known here is a reason to say no, since it may have been meant to forbid something.
 */

/** Null when it fits; otherwise why not, in our words and without the value. */
export type Misfit = string | null;

interface Check {
  steps: number;
}

type Keyword = (value: unknown, given: unknown, schema: JsonObject, check: Check) => Misfit;

const deepest = 32;
const mostSteps = 100_000;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (isRawNumber(value)) return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

function hasType(value: unknown, type: unknown): boolean {
  const is = typeOf(value);
  if (type === 'integer')
    return is === 'number' && Number.isInteger(isRawNumber(value) ? Number(value.rawJSON) : value);
  return is === type;
}

const lengthOf = (text: string): number => [...text].length;
const numberOf = (value: unknown): number | null =>
  isRawNumber(value) ? Number(value.rawJSON) : typeof value === 'number' ? value : null;

/** For a keyword that compares a size with a bound; values of other types are not its business. */
function bound(
  size: (value: unknown) => number | null,
  isFine: (size: number, limit: number) => boolean,
  words: string,
): Keyword {
  return (value, given) => {
    if (typeof given !== 'number') return 'a bound in the policy is no number';
    const measured = size(value);
    return measured === null || isFine(measured, given) ? null : `it is ${words} ${given}`;
  };
}

const textSize = (value: unknown): number | null => (typeof value === 'string' ? lengthOf(value) : null);
const listSize = (value: unknown): number | null => (Array.isArray(value) ? value.length : null);
const recordSize = (value: unknown): number | null =>
  isObject(value) && !isRawNumber(value) ? Object.keys(value).length : null;
const atLeast = (size: number, limit: number): boolean => size >= limit;
const atMost = (size: number, limit: number): boolean => size <= limit;

function pattern(value: unknown, given: unknown): Misfit {
  if (typeof value !== 'string') return null;
  const compiled = typeof given === 'string' ? compileLinear(given) : null;
  if (compiled === null) return 'the pattern of the policy cannot be matched in one pass';
  const fits = compiled.test(value);
  if (fits === null) return 'it is too long to be matched';
  return fits ? null : 'it does not match the pattern';
}

function each(items: readonly unknown[], schema: unknown, check: Check, depth: number): Misfit {
  for (const item of items) {
    const misfit = fitAt(item, schema, check, depth);
    if (misfit !== null) return misfit;
  }
  return null;
}

function record(value: unknown, schema: JsonObject, check: Check, depth: number): Misfit {
  if (!isObject(value) || isRawNumber(value)) return null;
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [key, item] of Object.entries(value)) {
    const isNamed = Object.hasOwn(properties, key);
    if (!isNamed && schema.additionalProperties === undefined) continue;
    const misfit = fitAt(item, isNamed ? properties[key] : schema.additionalProperties, check, depth);
    if (misfit !== null) return isNamed ? `"${key.slice(0, 60)}": ${misfit}` : 'it has a member that is not foreseen';
  }
  return null;
}

const schemasOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);
const silent: Keyword = () => null;

/** Those that need no look at the whole schema; the others are in `fitAt`. */
const keywords: Readonly<Record<string, Keyword>> = {
  ...Object.fromEntries(
    ['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'].map((name) => [
      name,
      silent,
    ]),
  ),
  ...Object.fromEntries(
    ['items', 'properties', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'not'].map((name) => [name, silent]),
  ),
  type: (value, given) =>
    (Array.isArray(given) ? given : [given]).some((type) => hasType(value, type)) ? null : 'it is of another type',
  const: (value, given) => (canonicalJson(value) === canonicalJson(given) ? null : 'it is not the one allowed value'),
  enum: (value, given) =>
    schemasOf(given).some((one) => canonicalJson(one) === canonicalJson(value))
      ? null
      : 'it is none of the allowed values',
  minLength: bound(textSize, atLeast, 'shorter than'),
  maxLength: bound(textSize, atMost, 'longer than'),
  minimum: bound(numberOf, atLeast, 'below'),
  maximum: bound(numberOf, atMost, 'above'),
  exclusiveMinimum: bound(numberOf, (size, limit) => size > limit, 'not above'),
  exclusiveMaximum: bound(numberOf, (size, limit) => size < limit, 'not below'),
  multipleOf: bound(numberOf, (size, limit) => limit > 0 && Number.isInteger(size / limit), 'no multiple of'),
  minItems: bound(listSize, atLeast, 'shorter than'),
  maxItems: bound(listSize, atMost, 'longer than'),
  minProperties: bound(recordSize, atLeast, 'smaller than'),
  maxProperties: bound(recordSize, atMost, 'larger than'),
  uniqueItems: (value, given) =>
    given === true && Array.isArray(value) && new Set(value.map(canonicalJson)).size < value.length
      ? 'it repeats itself'
      : null,
  required: (value, given) =>
    !isObject(value) || schemasOf(given).every((name) => typeof name === 'string' && Object.hasOwn(value, name))
      ? null
      : 'a member is missing',
  pattern,
};

function combined(value: unknown, schema: JsonObject, check: Check, depth: number): Misfit {
  const fits = (one: unknown): boolean => fitAt(value, one, check, depth) === null;
  if (schema.allOf !== undefined && !schemasOf(schema.allOf).every(fits))
    return 'it does not fit all of several schemas';
  if (schema.anyOf !== undefined && !schemasOf(schema.anyOf).some(fits)) return 'it fits none of several schemas';
  if (schema.oneOf !== undefined && schemasOf(schema.oneOf).filter(fits).length !== 1)
    return 'it fits not exactly one schema';
  return schema.not !== undefined && fits(schema.not) ? 'it is what must not be' : null;
}

function fitAt(value: unknown, schema: unknown, check: Check, depth: number): Misfit {
  check.steps -= 1;
  if (schema === true) return null;
  if (schema === false) return 'nothing is allowed here';
  if (!isObject(schema)) return 'the policy has no schema here';
  if (depth > deepest || check.steps < 0) return 'it is too much to be checked';
  for (const [name, given] of Object.entries(schema)) {
    const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
    if (keyword === undefined) return `the policy uses "${name.slice(0, 40)}", which is not known here`;
    const misfit = keyword(value, given, schema, check);
    if (misfit !== null) return misfit;
  }
  if (Array.isArray(value) && schema.items !== undefined) {
    const misfit = each(value, schema.items, check, depth + 1);
    if (misfit !== null) return misfit;
  }
  return record(value, schema, check, depth + 1) ?? combined(value, schema, check, depth + 1);
}

export function misfitOf(value: unknown, schema: unknown): Misfit {
  return fitAt(value, schema, { steps: mostSteps }, 0);
}
