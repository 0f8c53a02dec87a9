import {
  asArray,
  asNumber,
  asObject,
  asString,
  asStrings,
  isObject,
  type JsonObject,
} from '../../../../base/json-shape.ts';
import { jsonText } from './json-text.ts';

/**
 * A schema as a generator wants it: references followed, `allOf` folded in, the rest left as it came. It is written for
 * schemas that are wrong in every way, so nothing here throws and every walk is bounded.
 */

const mostReferences = 16;
const mostParts = 32;
export const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The place that a local reference names; undefined when it leads nowhere or out of the document. */
export function followReference(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#')) return undefined;
  if (!reference.startsWith('#/')) return findAnchor(root, reference.slice(1));
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decodePart(part);
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}

function decodePart(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function findAnchor(root: unknown, anchor: string): unknown {
  const { $defs, definitions } = asObject(root);
  const all = [...Object.values(asObject($defs)), ...Object.values(asObject(definitions))];
  return all.find((schema) => asObject(schema).$anchor === anchor);
}

const tightest: Readonly<Record<string, 'most' | 'least'>> = {
  minimum: 'most',
  exclusiveMinimum: 'most',
  minLength: 'most',
  minItems: 'most',
  minProperties: 'most',
  maximum: 'least',
  exclusiveMaximum: 'least',
  maxLength: 'least',
  maxItems: 'least',
  maxProperties: 'least',
};

function mergeKeyword(key: string, one: unknown, other: unknown): unknown {
  const bound = tightest[key];
  if (bound !== undefined && typeof one === 'number' && typeof other === 'number') {
    return bound === 'most' ? Math.max(one, other) : Math.min(one, other);
  }
  if (key === 'required') return [...new Set([...asStrings(one), ...asStrings(other)])];
  if (key === 'properties') return mergeProperties(asObject(one), asObject(other));
  if (key === 'enum') {
    const kept = new Set(asArray(other).map(jsonText));
    const both = asArray(one).filter((value) => kept.has(jsonText(value)));
    return both.length > 0 ? both : one;
  }
  if (key === 'type') {
    const types = typesIn(one).filter((type) => typesIn(other).some((each) => covers(each, type)));
    if (types.length > 0) return types;
    const narrower = typesIn(other).filter((type) => typesIn(one).some((each) => covers(each, type)));
    return narrower.length > 0 ? narrower : one;
  }
  if (key === 'additionalProperties' && (one === false || other === false)) return false;
  return other;
}

function covers(wide: JsonType, narrow: JsonType): boolean {
  return wide === narrow || (wide === 'number' && narrow === 'integer');
}

function mergeProperties(one: JsonObject, other: JsonObject): JsonObject {
  const merged = new Map(Object.entries(one));
  for (const [name, schema] of Object.entries(other)) {
    const known = merged.get(name);
    // Both hold; `allOf` says so without deciding here how they fit together.
    merged.set(name, known === undefined ? schema : { allOf: [known, schema] });
  }
  return Object.fromEntries(merged);
}

export function mergeSchemas(one: JsonObject, other: JsonObject): JsonObject {
  const merged = new Map(Object.entries(one));
  for (const [key, value] of Object.entries(other)) {
    const known = merged.get(key);
    merged.set(key, known === undefined ? value : mergeKeyword(key, known, value));
  }
  return Object.fromEntries(merged);
}

/** References followed and `allOf` folded in, to a bounded depth. A schema that is `true` or no schema is `{}`. */
export function viewSchema(schema: unknown, root: unknown, budget = { parts: mostParts }): JsonObject {
  let view = asObject(schema);
  for (let step = 0; step < mostReferences && typeof view.$ref === 'string'; step += 1) {
    const { $ref, ...beside } = view;
    view = mergeSchemas(asObject(followReference(root, asString($ref) ?? '')), beside);
  }
  const parts = asArray(view.allOf);
  if (parts.length === 0) return view;
  const { allOf: _, ...rest } = view;
  let merged: JsonObject = rest;
  for (const part of parts) {
    if (budget.parts <= 0) break;
    budget.parts -= 1;
    merged = mergeSchemas(merged, viewSchema(part, root, budget));
  }
  return merged;
}

export function typesIn(type: unknown): readonly JsonType[] {
  const named = typeof type === 'string' ? [type] : asStrings(type);
  return jsonTypes.filter((each) => named.includes(each));
}

const impliedBy: readonly (readonly [JsonType, readonly string[]])[] = [
  ['object', ['properties', 'additionalProperties', 'patternProperties', 'required', 'minProperties', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength', 'contentEncoding']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** The types that a schema names or implies; none when it lets everything through. */
export function typesOf(view: JsonObject): readonly JsonType[] {
  const named = typesIn(view.type);
  if (named.length > 0) return named;
  return impliedBy.filter(([, keys]) => keys.some((key) => Object.hasOwn(view, key))).map(([type]) => type);
}

/** Ways to satisfy a schema that exclude each other or stand side by side. */
export function branchesOf(view: JsonObject): readonly unknown[] {
  const oneOf = asArray(view.oneOf);
  return oneOf.length > 0 ? oneOf : asArray(view.anyOf);
}

/** The schema with one of its branches taken. */
export function takeBranch(view: JsonObject, branch: unknown, root: unknown): JsonObject {
  const { oneOf, anyOf, ...rest } = view;
  const left = asArray(oneOf).length > 0 && asArray(anyOf).length > 0 ? { ...rest, anyOf } : rest;
  return viewSchema({ ...mergeSchemas(left, viewSchema(branch, root)) }, root);
}

export function numberIn(view: JsonObject, key: string): number | undefined {
  return asNumber(view[key]);
}
