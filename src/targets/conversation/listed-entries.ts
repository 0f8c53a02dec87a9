import { asArray, asString, isObject, type JsonObject } from '../../base/json-shape.ts';
import type { ListedPrompt, ListedResource, ListedTool } from './contract.ts';
import { type Problems, shown } from './problems.ts';

/** One entry of a list, as a server gave it. What is broken in it is noted; what can be kept of it is. */

const longestName = 1000;
const usualNameLength = 128;
const longestDescription = 1024 * 1024;
const mostArguments = 1000;

/** Null, with the problem noted, where the entry cannot be named. */
function nameOf(kind: string, entry: unknown, field: string, problems: Problems): string | null {
  if (!isObject(entry)) {
    problems.add(`a ${kind} that is no object`);
    return null;
  }
  const name = asString(entry[field]);
  if (name === undefined || name === '') {
    problems.add(`a ${kind} without a ${field}`);
    return null;
  }
  if (name.length > longestName) problems.add(`a ${kind} whose ${field} is ${name.length} characters long`);
  return name.length > longestName ? null : name;
}

function textOf(kind: string, name: string, entry: JsonObject, field: string, problems: Problems): string | undefined {
  const value = entry[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') {
    problems.add(`the ${field} of ${kind} ${shown(name)} is no text`);
    return undefined;
  }
  if (value.length > longestDescription) problems.add(`the ${field} of ${kind} ${shown(name)} was cut`);
  return value.slice(0, longestDescription);
}

/** Only the members that are there. */
function given<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [name in Key]?: Value });
}

export function readTool(entry: unknown, problems: Problems): ListedTool | null {
  const name = nameOf('tool', entry, 'name', problems);
  if (name === null || !isObject(entry)) return null;
  if (name.length > usualNameLength) problems.add(`the name of tool ${shown(name)} is ${name.length} characters long`);
  const { inputSchema = null, outputSchema, annotations } = entry;
  if (!isObject(inputSchema)) problems.add(`tool ${shown(name)} has no input schema`);
  else if (inputSchema.type !== 'object') problems.add(`the input schema of tool ${shown(name)} is not of type object`);
  if (outputSchema !== undefined && !isObject(outputSchema))
    problems.add(`the output schema of tool ${shown(name)} is none`);
  if (annotations !== undefined && !isObject(annotations))
    problems.add(`the annotations of tool ${shown(name)} are none`);
  return {
    name,
    ...given('title', textOf('tool', name, entry, 'title', problems)),
    ...given('description', textOf('tool', name, entry, 'description', problems)),
    inputSchema,
    ...given('outputSchema', outputSchema),
    ...given('annotations', isObject(annotations) ? annotations : undefined),
  };
}

export function readPrompt(entry: unknown, problems: Problems): ListedPrompt | null {
  const name = nameOf('prompt', entry, 'name', problems);
  if (name === null || !isObject(entry)) return null;
  const parameters = asArray(entry.arguments).slice(0, mostArguments);
  if (entry.arguments !== undefined && !Array.isArray(entry.arguments)) {
    problems.add(`the arguments of prompt ${shown(name)} are no list`);
  }
  return {
    name,
    ...given('description', textOf('prompt', name, entry, 'description', problems)),
    arguments: parameters.flatMap((parameter) => {
      const own = nameOf(`argument of prompt ${shown(name)}`, parameter, 'name', problems);
      if (own === null || !isObject(parameter)) return [];
      const description = asString(parameter.description)?.slice(0, longestDescription);
      return [{ name: own, ...given('description', description), required: parameter.required === true }];
    }),
  };
}

function readUri(entry: unknown, field: 'uri' | 'uriTemplate', problems: Problems): ListedResource | null {
  const kind = field === 'uri' ? 'resource' : 'resource template';
  const uri = nameOf(kind, entry, field, problems);
  if (uri === null || !isObject(entry)) return null;
  return {
    uri,
    ...given('name', textOf(kind, uri, entry, 'name', problems)),
    ...given('description', textOf(kind, uri, entry, 'description', problems)),
    isTemplate: field === 'uriTemplate',
  };
}

export function readResource(entry: unknown, problems: Problems): ListedResource | null {
  return readUri(entry, 'uri', problems);
}

export function readTemplate(entry: unknown, problems: Problems): ListedResource | null {
  return readUri(entry, 'uriTemplate', problems);
}
