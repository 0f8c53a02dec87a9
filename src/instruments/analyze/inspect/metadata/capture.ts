import type { Location } from '../../../../base/finding-schema.ts';
import { asArray, asObject, asString, isObject, type JsonObject } from '../../../../base/json-shape.ts';

/** What a server says about itself: a `tools/list` answer, several answers together, or a list of tools. */

export interface ServerMetadata {
  /** The name in the client's settings, or the server's own. */
  readonly name: string;
  /** The file that the capture was read from, where there is one: findings are placed there. */
  readonly path?: string;
  readonly instructions: string | undefined;
  readonly tools: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
}

/** A capture from a live server has no file. */
export function locationsOf(path: string | undefined): readonly Location[] {
  return path === undefined ? [] : [{ path }];
}

const mostItems = 5_000;

const itemsOf = (value: unknown): readonly JsonObject[] => asArray(value).slice(0, mostItems).filter(isObject);

/** Undefined when nothing in it is a listing of anything. */
export function readCapture(value: unknown, name = 'server'): ServerMetadata | undefined {
  if (Array.isArray(value)) {
    const isAnswers = value.some((item) => isObject(item) && isObject(item.result));
    if (isAnswers)
      return mergeCaptures(
        value.flatMap((item) => readCapture(item, name) ?? []),
        name,
      );
    const tools = itemsOf(value).filter((item) => asString(item.name) !== undefined);
    return tools.length === 0 ? undefined : { name, instructions: undefined, tools, prompts: [], resources: [] };
  }
  if (!isObject(value)) return undefined;
  if (isObject(value.result)) return readCapture(value.result, name);
  const kinds = ['tools', 'prompts', 'resources', 'resourceTemplates', 'instructions'];
  if (!kinds.some((kind) => value[kind] !== undefined)) return undefined;
  const own = asString(asObject(value.serverInfo).name);
  return {
    name: name === 'server' ? (own ?? name) : name,
    instructions: asString(value.instructions),
    tools: itemsOf(value.tools),
    prompts: itemsOf(value.prompts),
    resources: [...itemsOf(value.resources), ...itemsOf(value.resourceTemplates)],
  };
}

function mergeCaptures(captures: readonly ServerMetadata[], name: string): ServerMetadata | undefined {
  if (captures.length === 0) return undefined;
  return {
    name,
    instructions: captures.find(({ instructions }) => instructions !== undefined)?.instructions,
    tools: captures.flatMap(({ tools }) => tools),
    prompts: captures.flatMap(({ prompts }) => prompts),
    resources: captures.flatMap(({ resources }) => resources),
  };
}
