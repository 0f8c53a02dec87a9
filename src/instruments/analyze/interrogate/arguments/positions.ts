import { asArray, asObject, asString, asStrings, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { escapeName } from './generate.ts';
import type { Knowledge } from './honest-inputs.ts';
import { type MeaningTable, unknownMeaning } from './meaning.ts';
import { branchesOf, type JsonType, mergeSchemas, typesOf, viewSchema } from './schema-view.ts';
import { meaningOf } from './text-value.ts';

/** Every place in a tool's arguments that can hold a value, across all branches: where trials put theirs. */

export interface Position {
  /** As a JSON pointer. */
  readonly pointer: string;
  readonly path: readonly (string | number)[];
  /** The nearest property name. */
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly meaning: string;
  readonly types: readonly JsonType[];
  /** Takes text, by its types or because it takes everything. */
  readonly isText: boolean;
  /** The schema at this place. */
  readonly view: JsonObject;
}

export interface PositionOptions {
  readonly meanings: MeaningTable;
  /** Name of the tool. */
  readonly tool?: string;
  /** Default: 200. */
  readonly most?: number;
}

interface Walk extends Required<Pick<PositionOptions, 'meanings' | 'most'>> {
  readonly tool: string;
  readonly root: unknown;
  readonly found: Map<string, Position>;
  /** Schemas still to be looked at: references can make a small document endless. */
  readonly visits: { left: number };
  /** Schemas on the way here: one that contains itself is entered once. */
  readonly above: readonly unknown[];
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
}

const deepest = 8;
const mostBranches = 16;
const mostVisits = 5000;

function identityOf(schema: unknown): unknown {
  const reference = asObject(schema).$ref;
  return typeof reference === 'string' ? reference : schema;
}

function visit(schema: unknown, place: Place, walk: Walk): void {
  const identity = identityOf(schema);
  const seen = walk.above.filter((each) => each === identity).length;
  if (place.path.length > deepest || seen > 1 || walk.above.length > 4 * deepest) return;
  walk.visits.left -= 1;
  if (walk.found.size >= walk.most || walk.visits.left < 0) return;
  const inside = { ...walk, above: [...walk.above, identity] };
  const view = viewSchema(schema, walk.root);
  const branches = branchesOf(view);
  if (branches.length === 0) visitPlain(view, place, inside);
  const { oneOf: _, anyOf: __, ...rest } = view;
  for (const branch of branches.slice(0, mostBranches)) {
    // The branch's own identity, so that a recursive union ends.
    const merged = mergeSchemas(rest, viewSchema(branch, walk.root));
    const repeated = inside.above.filter((each) => each === identityOf(branch)).length;
    if (repeated <= 1) visit(merged, place, { ...inside, above: [...inside.above, identityOf(branch)] });
  }
}

function visitPlain(view: JsonObject, place: Place, walk: Walk): void {
  const types = typesOf(view);
  const description = asString(view.description) ?? place.description;
  if (place.path.length > 0) add(view, { ...place, description }, types, walk);
  if (isObject(view.properties)) visitProperties(view, place, walk);
  else if (isObject(view.additionalProperties)) {
    visit(
      view.additionalProperties,
      { ...place, path: [...place.path, 'name'], name: 'name', isRequired: false },
      walk,
    );
  }
  const tuple = Array.isArray(view.items) ? view.items : asArray(view.prefixItems);
  const items = tuple.length > 0 ? tuple : isObject(view.items) ? [view.items] : [];
  items.slice(0, deepest).forEach((item, index) => {
    visit(item, { ...place, description, path: [...place.path, index] }, walk);
  });
}

function visitProperties(view: JsonObject, place: Place, walk: Walk): void {
  const required = new Set(asStrings(view.required));
  for (const [name, schema] of Object.entries(asObject(view.properties))) {
    if (schema === false) continue;
    const isRequired = place.isRequired && required.has(name);
    const at = { path: [...place.path, name], name, description: '', isRequired };
    visit(schema, at, walk);
    // A place that is too tangled to be looked into is still a place.
    if (!walk.found.has(pointerOf(at.path)) && walk.found.size < walk.most) add({}, at, [], walk);
  }
}

function pointerOf(path: Place['path']): string {
  return path.map((part) => `/${escapeName(String(part))}`).join('');
}

function add(view: JsonObject, place: Place, types: readonly JsonType[], walk: Walk): void {
  const pointer = pointerOf(place.path);
  const isClosed = Object.hasOwn(view, 'const') || Array.isArray(view.enum);
  const known = walk.found.get(pointer);
  const allTypes = [...new Set([...(known?.types ?? []), ...types])];
  const hasText = types.includes('string') || types.length === 0;
  const isText = known?.isText === true || hasText;
  const meaning = isClosed ? 'choice' : meaningOf({ ...place, tool: walk.tool, view }, walk.meanings);
  const isBetter = known === undefined || (!known.isText && hasText) || known.meaning === unknownMeaning;
  const kept = isBetter ? { meaning, view } : { meaning: known.meaning, view: known.view };
  walk.found.set(pointer, { ...place, pointer, types: allTypes, isText, ...kept });
}

export function positions(schema: unknown, options: PositionOptions): readonly Position[] {
  const found = new Map<string, Position>();
  const start = { path: [], name: '', description: '', isRequired: true };
  visit(schema, start, {
    most: 200,
    tool: '',
    ...options,
    root: schema,
    found,
    above: [],
    visits: { left: mostVisits },
  });
  return [...found.values()];
}

/** Those of a tool, by its schema or, where that is lost, by the arguments that were guessed. */
export function positionsOf(tool: ListedTool, { meanings, guesser }: Knowledge): readonly Position[] {
  return positions(guesser.schemaOf(tool).schema, { meanings, tool: tool.name });
}
