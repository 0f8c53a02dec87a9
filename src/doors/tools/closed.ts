import type { ToolDefinition } from './contract.ts';
import { inputSchemaOf, type JsonSchema } from './schemas.ts';

/**
 * What a tool that calls itself closed may not have: a way to hand words to another program. A parameter by one of these
 * names is one, and so is any text that nothing bounds.
 */

const bannedWords: ReadonlySet<string> = new Set([
  'arg',
  'args',
  'argument',
  'arguments',
  'argv',
  'bash',
  'cli',
  'cmd',
  'cmdline',
  'code',
  'command',
  'commands',
  'eval',
  'exec',
  'execute',
  'extra',
  'flag',
  'flags',
  'opts',
  'option',
  'options',
  'param',
  'params',
  'passthrough',
  'powershell',
  'raw',
  'script',
  'sh',
  'shell',
  'switches',
]);

/** `extraArgs`, `extra_args` and `EXTRA-ARGS` are the same two words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function isBanned(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => bannedWords.has(word)) || bannedWords.has(words.join(''));
}

function isBounded({ pattern, enum: values, const: only, maxLength }: JsonSchema): boolean {
  return pattern !== undefined || values !== undefined || only !== undefined || maxLength !== undefined;
}

function look(schema: JsonSchema, path: string): readonly string[] {
  const { type, properties = {}, items, anyOf = [], additionalProperties, propertyNames } = schema;
  const names = Object.keys(properties).filter(isBanned);
  const types = Array.isArray(type) ? type : [type];
  const isAnything = type === undefined && !isBounded(schema) && anyOf.length === 0;
  return [
    ...names.map((name) => `${path}.${name}: a parameter by that name hands words to a program`),
    ...(types.includes('string') && !isBounded(schema) ? [`${path}: a text without pattern, list or length`] : []),
    ...(isAnything && path !== '' ? [`${path}: anything may stand here`] : []),
    ...(types.includes('object') && additionalProperties !== false && typeof additionalProperties !== 'object'
      ? [`${path}: an object that takes any field`]
      : []),
    ...Object.entries(properties).flatMap(([name, each]) => look(each, `${path}.${name}`)),
    ...(items === undefined ? [] : look(items, `${path}[]`)),
    ...anyOf.flatMap((each) => look(each, path)),
    ...(typeof additionalProperties === 'object' ? look(additionalProperties, `${path}{}`) : []),
    ...(propertyNames === undefined ? [] : look(propertyNames, `${path}{name}`)),
  ];
}

/** What opens a tool; none for one that is closed. */
export function findOpenings(tool: Pick<ToolDefinition, 'input'>): readonly string[] {
  return look(inputSchemaOf(tool), '');
}
