import {
  asArray,
  asObject,
  asString,
  asStrings,
  entriesOf,
  isObject,
  type JsonObject,
} from '../../../../base/json-shape.ts';
import { openapiLimits } from './limits.ts';
import { type DocumentFormat, formatOf } from './read-document.ts';
import { References } from './references.ts';

/** What a document says about an API, the same for all of its versions. */

const parameterPlaces = ['path', 'query', 'header', 'cookie'] as const;
type ParameterPlace = (typeof parameterPlaces)[number];

export interface Parameter {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly isRequired: boolean;
  readonly schema: unknown;
  readonly example: unknown;
}

export interface Content {
  readonly mediaType: string;
  readonly schema: unknown;
}

export interface Operation {
  /** As in the document: `/users/{id}`. */
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly Parameter[];
  readonly body: Content | null;
  /** By status as written: `200`, `2XX`, `default`. */
  readonly responses: ReadonlyMap<string, readonly Content[]>;
  /** The document asks for a credential and knows no way around it. */
  readonly needsCredential: boolean;
  /** It says nothing about credentials at all, or that there are none. */
  readonly isUnprotected: boolean;
}

export interface Description {
  readonly format: DocumentFormat;
  readonly title: string;
  readonly servers: readonly string[];
  readonly operations: readonly Operation[];
  readonly schemes: ReadonlyMap<string, JsonObject>;
  readonly references: References;
  /** What was left out. */
  readonly notes: readonly string[];
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;
const longestPath = 500;

function readParameter(given: unknown, references: References): Parameter | null {
  const parameter = references.resolve(given);
  const name = asString(parameter.name);
  const place = parameterPlaces.find((each) => each === parameter.in);
  if (name === undefined || name === '' || name.length > 200 || place === undefined) return null;
  const [content] = entriesOf(parameter.content);
  const [example] = entriesOf(parameter.examples);
  return {
    name,
    place,
    isRequired: place === 'path' || parameter.required === true,
    // Version 2 has the fields of the schema in the parameter itself.
    schema: parameter.schema ?? asObject(content?.[1]).schema ?? parameter,
    example: parameter.example ?? asObject(references.resolve(example?.[1])).value,
  };
}

function readParameters(lists: readonly unknown[], references: References): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const given of lists.flatMap(asArray).slice(0, openapiLimits.parameters)) {
    const parameter = readParameter(given, references);
    if (parameter !== null) found.set(`${parameter.place} ${parameter.name}`, parameter);
  }
  return [...found.values()];
}

function contentsOf(content: unknown): readonly Content[] {
  return entriesOf(content)
    .slice(0, 20)
    .map(([mediaType, each]) => ({
      mediaType: mediaType.toLowerCase().split(';', 1)[0]?.trim() ?? '',
      schema: asObject(each).schema,
    }));
}

function readBody(operation: JsonObject, parameters: readonly unknown[], references: References): Content | null {
  if (operation.requestBody !== undefined) {
    const contents = contentsOf(references.resolve(operation.requestBody).content);
    return contents.find(({ mediaType }) => mediaType.includes('json')) ?? contents[0] ?? null;
  }
  for (const given of parameters.flatMap(asArray).slice(0, openapiLimits.parameters)) {
    const parameter = references.resolve(given);
    if (parameter.in === 'body') return { mediaType: 'application/json', schema: parameter.schema };
  }
  return null;
}

function readResponses(operation: JsonObject, produces: readonly string[], references: References) {
  const found = new Map<string, readonly Content[]>();
  for (const [status, given] of entriesOf(operation.responses).slice(0, openapiLimits.responses)) {
    const response = references.resolve(given);
    const contents =
      response.content === undefined && response.schema !== undefined
        ? produces.map((mediaType) => ({ mediaType: mediaType.toLowerCase(), schema: response.schema }))
        : contentsOf(response.content);
    found.set(status.toUpperCase() === 'DEFAULT' ? 'default' : status.toUpperCase(), contents);
  }
  return found;
}

function serversOf(document: JsonObject, format: DocumentFormat): readonly string[] {
  if (format !== '2.0') {
    return asArray(document.servers)
      .slice(0, 50)
      .map((server) => {
        const { url, variables } = asObject(server);
        const known = asObject(variables);
        return (asString(url) ?? '')
          .slice(0, 2000)
          .replace(/\{([^{}]{1,100})\}/g, (_, name: string) =>
            String(asObject(Object.hasOwn(known, name) ? known[name] : undefined).default ?? ''),
          );
      })
      .filter((url) => url !== '');
  }
  const host = asString(document.host);
  const basePath = asString(document.basePath) ?? '/';
  if (host === undefined) return [basePath];
  const schemes = asStrings(document.schemes).slice(0, 4);
  return schemes.length === 0 ? [`//${host}${basePath}`] : schemes.map((scheme) => `${scheme}://${host}${basePath}`);
}

interface Around {
  readonly document: JsonObject;
  readonly references: References;
  readonly format: DocumentFormat;
}

function readOperation(
  path: string,
  method: string,
  item: JsonObject,
  operation: JsonObject,
  around: Around,
): Operation {
  const { document, references, format } = around;
  const lists = [item.parameters, operation.parameters];
  const produces = asStrings(operation.produces ?? document.produces ?? ['application/json']);
  const security = asArray(operation.security ?? document.security).slice(0, 20);
  const isOptional = security.some((each) => isObject(each) && Object.keys(each).length === 0);
  return {
    path,
    method: method.toUpperCase(),
    parameters: readParameters(lists, references),
    body: readBody(operation, lists, references),
    responses: readResponses(operation, format === '2.0' ? produces : [], references),
    needsCredential: security.length > 0 && !isOptional,
    isUnprotected: security.length === 0 || isOptional,
  };
}

/** Null where it describes no API. */
export function describeApi(document: JsonObject): Description | null {
  const format = formatOf(document);
  if (format === null) return null;
  const references = new References(document);
  const operations: Operation[] = [];
  const paths = entriesOf(document.paths);
  for (const [path, given] of paths.slice(0, openapiLimits.paths)) {
    if (!path.startsWith('/') || path.length > longestPath) continue;
    const item = references.resolve(given);
    for (const method of methods) {
      const operation = references.resolve(item[method]);
      if (isObject(item[method]))
        operations.push(readOperation(path, method, item, operation, { document, references, format }));
    }
  }
  const schemes = format === '2.0' ? document.securityDefinitions : asObject(document.components).securitySchemes;
  return {
    format,
    title: (asString(asObject(document.info).title) ?? '').slice(0, 200),
    servers: serversOf(document, format),
    operations,
    schemes: new Map(
      entriesOf(schemes)
        .slice(0, 50)
        .map(([name, scheme]) => [name, references.resolve(scheme)]),
    ),
    references,
    notes:
      paths.length > openapiLimits.paths
        ? [`of ${paths.length} paths of the document the first ${openapiLimits.paths} were read`]
        : [],
  };
}
