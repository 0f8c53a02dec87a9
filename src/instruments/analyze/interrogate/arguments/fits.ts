import { asArray, asObject, asStrings, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import { jsonText } from './json-text.ts';
import { compilePattern } from './pattern.ts';
import { branchesOf, typesIn, viewSchema } from './schema-view.ts';

/**
 * Whether a value keeps the plain rules of a schema: enough to know whether an example, a default or a guess may stand
 * there. What it does not know, it lets pass.
 */

const deepest = 8;
/** Schemas looked at for one value: references can make a small document endless. */
const mostSteps = 500;

interface Look {
  readonly root: unknown;
  steps: number;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function hasType(value: unknown, view: JsonObject): boolean {
  const types = typesIn(view.type);
  if (types.length === 0) return true;
  const type = typeOf(value);
  return types.some((each) => each === type || (each === 'integer' && Number.isInteger(value)));
}

function same(one: unknown, other: unknown): boolean {
  const text = jsonText(one);
  return text !== null && text === jsonText(other);
}

function within(value: number, least: unknown, most: unknown): boolean {
  return (typeof least !== 'number' || value >= least) && (typeof most !== 'number' || value <= most);
}

function fitsText(value: string, view: JsonObject): boolean {
  if (!within([...value].length, view.minLength, view.maxLength)) return false;
  return typeof view.pattern !== 'string' || (compilePattern(view.pattern)?.test(value) ?? true);
}

function fitsNumber(value: number, view: JsonObject): boolean {
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = view;
  if (!within(value, view.minimum, view.maximum)) return false;
  // Draft 4 has flags here, later drafts numbers.
  if (typeof above === 'number' ? value <= above : above === true && value === view.minimum) return false;
  if (typeof below === 'number' ? value >= below : below === true && value === view.maximum) return false;
  return typeof multipleOf !== 'number' || multipleOf <= 0 || Number.isInteger(value / multipleOf);
}

function fitsList(value: readonly unknown[], view: JsonObject, look: Look, depth: number): boolean {
  if (!within(value.length, view.minItems, view.maxItems)) return false;
  if (view.uniqueItems === true && new Set(value.map(jsonText)).size !== value.length) return false;
  const items = Array.isArray(view.items) ? {} : view.items;
  return items !== false && value.every((item) => fitsAt(item, items, look, depth + 1));
}

function fitsRecord(value: JsonObject, view: JsonObject, look: Look, depth: number): boolean {
  const properties = asObject(view.properties);
  if (!asStrings(view.required).every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, item]) => {
    if (Object.hasOwn(properties, name)) return fitsAt(item, properties[name], look, depth + 1);
    return view.additionalProperties !== false && fitsAt(item, view.additionalProperties, look, depth + 1);
  });
}

function fitsAt(value: unknown, schema: unknown, look: Look, depth: number): boolean {
  look.steps -= 1;
  if (schema === false) return false;
  if (depth > deepest || look.steps < 0) return true;
  const view = viewSchema(schema, look.root);
  if (!hasType(value, view)) return false;
  if (Object.hasOwn(view, 'const') && !same(view.const, value)) return false;
  if (Array.isArray(view.enum) && !view.enum.some((each) => same(each, value))) return false;
  const branches = branchesOf(view);
  if (branches.length > 0 && !branches.some((branch) => fitsAt(value, branch, look, depth + 1))) return false;
  if (typeof value === 'string') return fitsText(value, view);
  if (typeof value === 'number') return fitsNumber(value, view);
  if (Array.isArray(value)) return fitsList(value, view, look, depth);
  return !isObject(value) || fitsRecord(value, view, look, depth);
}

export function fits(value: unknown, schema: unknown, root: unknown): boolean {
  return fitsAt(value, schema, { root, steps: mostSteps }, 0);
}

const mostOffered = 16;

/** Values that the schema itself offers, in the order of trust: examples, then the default. */
export function offeredValues(view: JsonObject, root: unknown): readonly unknown[] {
  const offered = [...asArray(view.examples).slice(0, mostOffered), view.example, view.default];
  return offered.filter((value) => value !== undefined && value !== null && fits(value, view, root));
}
