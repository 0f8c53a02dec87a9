import { asArray, asObject, asString, asStrings, type JsonObject } from '../../../../base/json-shape.ts';
import { fits, offeredValues } from './fits.ts';
import { numberValue } from './number-value.ts';
import { branchesOf, numberIn, takeBranch, typesOf, viewSchema } from './schema-view.ts';
import { recordOf } from './template.ts';
import { honestTexts, type TextSources } from './text-value.ts';

/** One value for one schema. Which way to go at every fork is decided by the caller and reported back to it. */

export interface Fork {
  /** Where in the value, and at which of the forks of that place. */
  readonly key: string;
  readonly count: number;
}

export interface Generation extends TextSources {
  readonly root: unknown;
  readonly tool: string;
  /** Optional properties too. */
  readonly isWhole: boolean;
  readonly choices: ReadonlyMap<string, number>;
  readonly forks: Fork[];
  /** Nodes still to be made; schemas refer to themselves. */
  nodes: number;
}

interface Place {
  readonly pointer: string;
  readonly name: string;
  readonly description: string;
  readonly depth: number;
  /** Different for every item of a list, so that items can differ. */
  readonly turn: number;
}

const deepest = 12;
/** Below this, only what is required is made: a schema that contains itself ends. */
const wholeDepth = 4;
const mostItems = 64;
/** Beyond this many, optional properties are left out. */
const mostOptional = 100;
const mostRequired = 4000;
const mostForkedValues = 8;

function choose(generation: Generation, key: string, count: number): number {
  if (count > 1) generation.forks.push({ key, count });
  const chosen = generation.choices.get(key) ?? 0;
  return chosen < count ? chosen : 0;
}

export function generate(schema: unknown, place: Place, generation: Generation): unknown {
  generation.nodes -= 1;
  let view = viewSchema(schema, generation.root);
  for (let level = 0; level < deepest; level += 1) {
    const branches = branchesOf(view);
    if (branches.length === 0) break;
    const isDeep = place.depth > deepest || generation.nodes <= 0;
    const index = isDeep
      ? shallowest(branches, generation.root)
      : choose(generation, `${place.pointer}?${level}`, branches.length);
    view = takeBranch(view, branches[index], generation.root);
  }
  const description = asString(view.description) ?? place.description;
  return makeValue(view, { ...place, description }, generation);
}

/** Of several ways the one that does not lead back into the depth. */
function shallowest(branches: readonly unknown[], root: unknown): number {
  const weights = branches.map((branch) => {
    const view = viewSchema(branch, root);
    const types = typesOf(view);
    if (types.includes('null') || Object.hasOwn(view, 'const')) return 0;
    if (types.includes('object')) return 2 + asStrings(view.required).length;
    return types.includes('array') ? 2 : 1;
  });
  return weights.indexOf(Math.min(...weights));
}

function makeValue(view: JsonObject, place: Place, generation: Generation): unknown {
  if (Object.hasOwn(view, 'const')) return view.const;
  const { enum: listed, oneOf: _, anyOf: __, ...rest } = view;
  const values = asArray(listed)
    .slice(0, mostItems)
    .filter((value) => fits(value, rest, generation.root));
  if (values.length > 0) {
    const count = Math.min(values.length, mostForkedValues);
    return values[(choose(generation, `${place.pointer}=`, count) + place.turn) % values.length];
  }
  const types = typesOf(view).filter((type, _, all) => type !== 'null' || all.length === 1);
  const index = choose(generation, `${place.pointer}:`, types.length);
  const type = types[index] ?? 'string';
  if (type === 'object') return objectOf(view, place, generation);
  if (type === 'array') return arrayOf(view, place, generation);
  if (type === 'boolean') return booleanOf(view, place, generation);
  if (type === 'null') return null;
  if (type === 'string') return textOf(view, place, generation);
  return numberValue({
    view,
    isInteger: type === 'integer',
    name: place.name,
    turn: place.turn,
    root: generation.root,
  });
}

function booleanOf(view: JsonObject, place: Place, generation: Generation): boolean {
  const offered = offeredValues(view, generation.root).find((value) => typeof value === 'boolean');
  const first = offered === true;
  return choose(generation, `${place.pointer}!`, 2) === 0 ? first : !first;
}

function textOf(view: JsonObject, place: Place, generation: Generation): string {
  const texts = honestTexts({ ...place, tool: generation.tool, view, root: generation.root }, generation);
  const text = texts[place.turn % texts.length] ?? '';
  if (place.turn < texts.length || typeof view.format === 'string') return text;
  const longer = `${text}-${place.turn}`;
  return fits(longer, view, generation.root) ? longer : text;
}

function arrayOf(view: JsonObject, place: Place, generation: Generation): readonly unknown[] {
  const offered = offeredValues(view, generation.root).find((value) => Array.isArray(value) && value.length > 0);
  if (Array.isArray(offered) && offered.every((item) => typeof item === 'number')) return offered;
  const tuple = Array.isArray(view.items) ? view.items : asArray(view.prefixItems);
  const rest = Array.isArray(view.items) ? view.additionalItems : view.items;
  const least = Math.min(Math.max(numberIn(view, 'minItems') ?? 0, Object.hasOwn(view, 'contains') ? 1 : 0), mostItems);
  const most = Math.min(numberIn(view, 'maxItems') ?? mostItems, rest === false ? tuple.length : mostItems);
  // An empty list says nothing about what the tool does with its items.
  const isShort = place.depth >= deepest || generation.nodes <= 0 || rest === false;
  const wanted = Math.max(least, tuple.length, isShort ? 0 : 1);
  const items: unknown[] = [];
  for (let turn = 0; turn < Math.min(wanted, most); turn += 1) {
    const schema =
      tuple[turn] ?? (Object.hasOwn(view, 'contains') && turn === 0 ? { allOf: [view.contains, rest ?? {}] } : rest);
    const at = { ...place, pointer: `${place.pointer}/${turn}`, depth: place.depth + 1, turn };
    items.push(distinct(generate(schema, at, generation), items, view));
  }
  return items;
}

/** Where every item must differ, a repeated text or number is changed as far as its kind allows. */
function distinct(item: unknown, before: readonly unknown[], { uniqueItems }: JsonObject): unknown {
  if (uniqueItems !== true || !before.includes(item)) return item;
  if (typeof item === 'string') return `${item}-${before.length}`;
  return typeof item === 'number' ? item + before.length : item;
}

function wantedProperties(view: JsonObject, place: Place, generation: Generation): readonly string[] {
  const properties = asObject(view.properties);
  const required = asStrings(view.required).slice(0, mostRequired);
  const isWhole = generation.isWhole && place.depth < wholeDepth && generation.nodes > 0;
  const names = isWhole
    ? [...new Set([...required, ...Object.keys(properties).slice(0, mostOptional)])]
    : [...new Set(required)];
  const usable = names.filter((name) => properties[name] !== false);
  const most = numberIn(view, 'maxProperties');
  const kept = most === undefined ? usable : usable.slice(0, Math.max(most, required.length));
  const dependent = asObject(view.dependentRequired);
  return [...new Set([...kept, ...kept.flatMap((name) => asStrings(dependent[name]))])];
}

function objectOf(view: JsonObject, place: Place, generation: Generation): Record<string, unknown> {
  const properties = asObject(view.properties);
  const names = wantedProperties(view, place, generation);
  const entries = names.map((name): [string, unknown] => {
    const at = {
      pointer: `${place.pointer}/${escapeName(name)}`,
      name,
      description: '',
      depth: place.depth + 1,
      turn: place.turn,
    };
    const schema = Object.hasOwn(properties, name) ? properties[name] : view.additionalProperties;
    return [name, at.depth > 2 * deepest ? null : generate(schema, at, generation)];
  });
  const least = Math.min(numberIn(view, 'minProperties') ?? 0, mostItems);
  const isMap = names.length === 0 && typeof view.additionalProperties === 'object' && place.depth < deepest;
  const missing = Math.max(least - entries.length, isMap && generation.isWhole && generation.nodes > 0 ? 1 : 0);
  return recordOf([
    ...entries,
    ...moreEntries(view, place, generation, view.additionalProperties === false ? 0 : missing),
  ]);
}

/** Keys of a map are the caller's to choose. */
function moreEntries(view: JsonObject, place: Place, generation: Generation, count: number): [string, unknown][] {
  const taken = new Set(Object.keys(asObject(view.properties)));
  return Array.from({ length: count }, (_, index): [string, unknown] => {
    let name = index === 0 ? 'name' : `name${index}`;
    while (taken.has(name)) name += '0';
    const at = { ...place, pointer: `${place.pointer}/${name}`, name, depth: place.depth + 1, turn: 0 };
    return [name, generate(view.additionalProperties, at, generation)];
  });
}

/** As in a JSON pointer. */
export function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
