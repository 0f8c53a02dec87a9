import { z } from 'zod';
import { asObject, isObject } from '../../../../base/json-shape.ts';
import { readRules } from '../../../../base/rules-folder.ts';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { wordsOf } from './meaning.ts';
import { branchesOf, viewSchema } from './schema-view.ts';

/**
 * Tools whose schema is lost still have arguments. Their names stand in the description or follow from what the tool is
 * called; servers leave out what they do not know, so a guess too many does no harm.
 */

const shapes = {
  text: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  flag: { type: 'boolean' },
  number: { type: 'number' },
  edits: {
    type: 'array',
    items: {
      type: 'object',
      properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
      required: ['oldText', 'newText'],
    },
  },
} as const;

const fileSchema = z.strictObject({
  note: z.string(),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      arguments: z.record(z.string(), z.enum(['text', 'texts', 'flag', 'number', 'edits'])),
    }),
  ),
});

export interface EffectiveSchema {
  readonly schema: unknown;
  readonly isGuessed: boolean;
}

const mostGuesses = 8;
const longestDescription = 4000;

/** Lines and phrases in which descriptions name arguments. */
const namings: readonly RegExp[] = [
  /^\s*[-*]?\s*`?([a-z_]\w{1,30})`?\s*(?:\(([^)\n]{0,60})\))?\s*:\s/gim,
  /[:@]param\s+(?:\{[^}]{0,40}\}\s*)?(?:\w+\s+)?\[?([a-z_]\w{1,30})/gim,
  /\b(?:argument|parameter|param|field)s?\s+[`'"]([a-z_]\w{1,30})[`'"]/gim,
  /[`'"]([a-z_]\w{1,30})[`'"]\s+(?:argument|parameter|param|field)\b/gim,
];

const notArguments =
  /^(args|arguments|parameters|params|returns?|example|examples|note|notes|raises|throws|usage|output|input|inputs|warning|important|description|required|optional|see|https?)$/i;

function named(description: string): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const naming of namings) {
    for (const [, name = '', type = ''] of description.matchAll(naming)) {
      if (notArguments.test(name) || Object.keys(found).length >= mostGuesses || Object.hasOwn(found, name)) continue;
      found[name] = shapeFor(type);
    }
  }
  return found;
}

function shapeFor(type: string): object {
  if (/\b(list|array|string\[\])/i.test(type)) return shapes.texts;
  if (/\bbool/i.test(type)) return shapes.flag;
  return /\b(int|integer|number|float)\b/i.test(type) ? shapes.number : shapes.text;
}

export interface Guesser {
  schemaOf(tool: ListedTool): EffectiveSchema;
}

/** Says something about arguments: a schema with properties, with branches, or one that forbids them. */
function isTelling(schema: unknown): boolean {
  const view = viewSchema(schema, schema);
  if (branchesOf(view).length > 0 || view.additionalProperties === false) return true;
  if (isObject(view.additionalProperties) && Object.keys(view.additionalProperties).length > 0) return true;
  // An object that lists no properties is what a tool without arguments has; one without even a type is broken.
  return Object.keys(asObject(view.properties)).length > 0 || (isObject(view.properties) && view.type === 'object');
}

export function readGuesser(): Guesser {
  const rows = readRules('trials/guesses.json', fileSchema).tools.map((row) => ({
    name: new RegExp(row.name),
    properties: Object.fromEntries(Object.entries(row.arguments).map(([name, shape]) => [name, shapes[shape]])),
  }));
  return {
    schemaOf(tool) {
      if (isTelling(tool.inputSchema)) return { schema: tool.inputSchema, isGuessed: false };
      const words = wordsOf(tool.name);
      const byName = rows.find((row) => row.name.test(words))?.properties ?? {};
      const byText = named((tool.description ?? '').slice(0, longestDescription));
      const properties = { ...byText, ...byName };
      if (Object.keys(properties).length === 0) return { schema: tool.inputSchema, isGuessed: false };
      return { schema: { type: 'object', properties, required: Object.keys(properties) }, isGuessed: true };
    },
  };
}
