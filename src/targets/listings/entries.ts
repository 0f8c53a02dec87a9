import { canonicalJson } from '../../base/fingerprint.ts';
import { boundValue } from '../conversation/bound-value.ts';
import type { Listing } from '../conversation/contract.ts';

/** A listing as entries that can be compared one by one, whatever order they and the keys in them came in. */

export type EntryKind = 'tool' | 'prompt' | 'resource' | 'instructions';

export interface Entry {
  readonly kind: EntryKind;
  readonly name: string;
  /** Each field as text, to be compared; a field that is not there is not in it. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Lists in a JSON schema whose order means nothing. */
const unordered = new Set(['required', 'enum', 'type', 'dependentRequired']);

/** Sorted keys and one value per line, so that lines of two schemas can be compared. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([key, item]) => {
      const isSet = unordered.has(key) && Array.isArray(item) && item.every((each) => typeof each !== 'object');
      return [
        key,
        isSet ? item.toSorted((left, right) => (canonicalJson(left) < canonicalJson(right) ? -1 : 1)) : canonical(item),
      ];
    }),
  );
}

function jsonField(value: unknown): string {
  return JSON.stringify(canonical(boundValue(value)), null, 1) ?? 'undefined';
}

type Field = readonly [string, string | undefined];

function entry(kind: EntryKind, name: string, fields: readonly Field[]): Entry {
  return { kind, name, fields: new Map(fields.flatMap(([key, text]) => (text === undefined ? [] : [[key, text]]))) };
}

function json(value: unknown): string | undefined {
  return value === undefined ? undefined : jsonField(value);
}

function contentOf({ fields }: Entry): string {
  return canonicalJson([...fields]);
}

/** By kind and name. Of several with one name each is an entry of its own, in an order that their content decides. */
export function entriesOf({ tools, prompts, resources, instructions }: Listing): ReadonlyMap<string, Entry> {
  const all: readonly Entry[] = [
    ...(instructions === undefined ? [] : [entry('instructions', '', [['text', instructions]])]),
    ...tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) =>
      entry('tool', name, [
        ['title', title],
        ['description', description],
        ['inputSchema', json(inputSchema)],
        ['outputSchema', json(outputSchema)],
        ['annotations', json(annotations)],
      ]),
    ),
    ...prompts.map(({ name, description, arguments: parameters }) =>
      entry('prompt', name, [
        ['description', description],
        [
          'arguments',
          json(parameters.toSorted((left, right) => (canonicalJson(left) < canonicalJson(right) ? -1 : 1))),
        ],
      ]),
    ),
    ...resources.map(({ uri, name, description, isTemplate }) =>
      entry('resource', uri, [
        ['name', name],
        ['description', description],
        ['isTemplate', isTemplate ? 'true' : undefined],
      ]),
    ),
  ];
  const groups = Map.groupBy(all, ({ kind, name }) => `${kind} ${name}`);
  return new Map(
    [...groups].flatMap(([key, group]) =>
      (group.length === 1 ? group : group.toSorted((left, right) => (contentOf(left) < contentOf(right) ? -1 : 1))).map(
        (each, at): [string, Entry] => [at === 0 ? key : `${key}\0${at}`, each],
      ),
    ),
  );
}
