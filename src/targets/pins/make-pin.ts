import { canonicalJson, fingerprint, sha256 } from '../../base/fingerprint.ts';
import type { Subject } from '../../base/report-schema.ts';
import { boundValue, type ValueBounds } from '../conversation/bound-value.ts';
import type { Listing } from '../conversation/contract.ts';
import { type Pin, type PinnedListing, pinVersion } from './contract.ts';

/** From a listing to what is kept of it: the same listing always gives the same bytes. */

/** No less than a conversation takes, so that nothing is left out unseen. */
const mostEntries = 5000;
const mostArguments = 1000;
const longestText = 32 * 1024;
const longestName = 1000;
const schemaBounds: ValueBounds = { depth: 64, values: 20_000, characters: 256 * 1024 };

/** What is cut off still counts: its hash stands in its place. */
function boundText(text: string, most = longestText): string {
  return text.length <= most ? text : `${text.slice(0, most - 100)}[cut, sha256 ${sha256(text)}]`;
}

/** Through JSON and back, so that what is compared is what a file gives back. */
function boundJson(value: unknown): PinnedListing['tools'][number]['inputSchema'] {
  const bounded = boundValue(value, schemaBounds);
  return JSON.parse(JSON.stringify(bounded) ?? 'null');
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { [name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [name in Key]?: Value });
}

function textField<Key extends string>(key: Key, text: string | undefined): { [name in Key]?: string } {
  return given(key, text === undefined ? undefined : boundText(text));
}

/** In one order, whatever order they came in, cut to what is kept. */
function ordered<T>(entries: readonly T[]): T[] {
  return entries
    .map((entry): [string, T] => [canonicalJson(entry), entry])
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .slice(0, mostEntries)
    .map(([, entry]) => entry);
}

function annotationsOf(value: unknown): Record<string, PinnedListing['tools'][number]['inputSchema']> | undefined {
  const bounded = value === undefined ? null : boundJson(value);
  return typeof bounded === 'object' && bounded !== null && !Array.isArray(bounded) ? bounded : undefined;
}

/** Whatever is compared with a pin goes through this as well, so that a cut is no difference. */
export function pinnedListing({ tools, prompts, resources, instructions }: Listing): PinnedListing {
  return {
    tools: ordered(
      tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
        name: boundText(name, longestName),
        ...textField('title', title),
        ...textField('description', description),
        inputSchema: boundJson(inputSchema),
        ...given('outputSchema', outputSchema === undefined ? undefined : boundJson(outputSchema)),
        ...given('annotations', annotationsOf(annotations)),
      })),
    ),
    prompts: ordered(
      prompts.map(({ name, description, arguments: parameters }) => ({
        name: boundText(name, longestName),
        ...textField('description', description),
        arguments: parameters.slice(0, mostArguments).map((parameter) => ({
          name: boundText(parameter.name, longestName),
          ...textField('description', parameter.description),
          required: parameter.required,
        })),
      })),
    ),
    resources: ordered(
      resources.map(({ uri, name, description, isTemplate }) => ({
        uri: boundText(uri, longestName),
        ...textField('name', name),
        ...textField('description', description),
        isTemplate,
      })),
    ),
    ...textField('instructions', instructions),
  };
}

/** Without the version, so that the next one is compared with this one. */
export function pinSubject({ kind, spec, resolved }: Subject['target']): string {
  return `${kind}:${resolved?.name ?? spec}`;
}

export function makePin(target: Subject['target'], listing: Listing, at: Date = new Date()): Pin {
  const kept = pinnedListing(listing);
  return {
    format: 'hotcell-pin',
    version: pinVersion,
    subject: pinSubject(target),
    seen: {
      version: target.resolved?.version ?? null,
      integrity: target.resolved?.integrity ?? null,
      at: at.toISOString(),
    },
    fingerprint: fingerprint(kept),
    listing: kept,
  };
}
