import { asArray, asNumber, asString, asStrings, entriesOf, isObject } from '../../../../base/json-shape.ts';
import { openapiLimits } from './limits.ts';
import type { References } from './references.ts';

/**
 * What a schema asks for, as far as it is used here: references followed, `allOf` put together. Patterns are left out:
 * a regular expression of a stranger is not run.
 */
export interface Schema {
  readonly types: readonly string[];
  readonly format: string | undefined;
  readonly values: readonly unknown[] | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly items: unknown;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: readonly string[];
  /** Says itself that it may hold more than it names. */
  readonly isOpen: boolean;
  readonly alternatives: readonly unknown[];
  /** First of example, default and const; undefined where there is none. */
  readonly sample: unknown;
}

type Draft = { -readonly [Key in keyof Schema]: Schema[Key] };

function empty(): Draft {
  return {
    types: [],
    format: undefined,
    values: undefined,
    minimum: undefined,
    maximum: undefined,
    minLength: undefined,
    maxLength: undefined,
    minItems: undefined,
    items: undefined,
    properties: new Map(),
    required: [],
    isOpen: false,
    alternatives: [],
    sample: undefined,
  };
}

function bounds(schema: Readonly<Record<string, unknown>>): Pick<Schema, 'minimum' | 'maximum'> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const [low, high] = [asNumber(minimum), asNumber(maximum)];
  return {
    minimum:
      asNumber(exclusiveMinimum) !== undefined
        ? (asNumber(exclusiveMinimum) ?? 0) + 1
        : low !== undefined && exclusiveMinimum === true
          ? low + 1
          : low,
    maximum:
      asNumber(exclusiveMaximum) !== undefined
        ? (asNumber(exclusiveMaximum) ?? 0) - 1
        : high !== undefined && exclusiveMaximum === true
          ? high - 1
          : high,
  };
}

function sampleIn(schema: Readonly<Record<string, unknown>>): unknown {
  return schema.example ?? asArray(schema.examples)[0] ?? schema.default ?? schema.const;
}

function add(draft: Draft, given: unknown, references: References, budget: { left: number }, depth: number): void {
  budget.left -= 1;
  if (budget.left < 0 || depth > openapiLimits.schemaDepth) return;
  const schema = references.resolve(given);
  const type = asString(schema.type);
  const types = type === undefined ? asStrings(schema.type).slice(0, 8) : [type];
  if (types.length > 0) draft.types = types;
  draft.format = asString(schema.format) ?? draft.format;
  draft.values = Array.isArray(schema.enum)
    ? schema.enum.slice(0, 200)
    : schema.const === undefined
      ? draft.values
      : [schema.const];
  const { minimum, maximum } = bounds(schema);
  draft.minimum = minimum ?? draft.minimum;
  draft.maximum = maximum ?? draft.maximum;
  draft.minLength = asNumber(schema.minLength) ?? draft.minLength;
  draft.maxLength = asNumber(schema.maxLength) ?? draft.maxLength;
  draft.minItems = asNumber(schema.minItems) ?? draft.minItems;
  draft.items = schema.items ?? draft.items;
  draft.sample = draft.sample ?? sampleIn(schema);
  draft.required = [...draft.required, ...asStrings(schema.required)].slice(0, openapiLimits.properties);
  if (
    schema.additionalProperties === true ||
    isObject(schema.additionalProperties) ||
    isObject(schema.patternProperties)
  ) {
    draft.isOpen = true;
  }
  const properties = new Map(draft.properties);
  for (const [name, value] of entriesOf(schema.properties)) {
    if (properties.size < openapiLimits.properties) properties.set(name, value);
    // What was left out is not unknown to the author.
    else draft.isOpen = true;
  }
  draft.properties = properties;
  for (const part of asArray(schema.allOf).slice(0, openapiLimits.schemaParts))
    add(draft, part, references, budget, depth + 1);
  const alternatives = [...asArray(schema.oneOf), ...asArray(schema.anyOf)];
  if (alternatives.length > 0) draft.alternatives = alternatives.slice(0, openapiLimits.schemaParts);
}

export function readSchema(given: unknown, references: References): Schema {
  const draft = empty();
  add(draft, given, references, { left: openapiLimits.schemaParts }, 0);
  return draft;
}
