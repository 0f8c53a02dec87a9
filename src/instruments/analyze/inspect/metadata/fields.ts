import { asString, entriesOf, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import type { Field } from '../../../../targets/wording/field.ts';
import type { ServerMetadata } from './capture.ts';

/** Every text of a server's metadata, with the place it stands in. Whatever a model reads is a place to hide something. */

const mostFieldsPerItem = 5_000;
const deepest = 64;

/** Values under these keys are words of the format, not of the author. */
const formatKeys = new Set(['type', 'format', '$schema', '$ref', 'mimeType', 'contentEncoding', 'required']);

interface Waiting {
  readonly value: unknown;
  readonly path: string;
  readonly key: string;
  readonly depth: number;
}

/** In the order of the document, so that a text that is cut over several fields reads on. */
function walk(item: string, root: JsonObject): readonly Field[] {
  const fields: Field[] = [];
  const waiting: Waiting[] = [{ value: root, path: '', key: '', depth: 0 }];
  for (let at = waiting.pop(); at !== undefined && fields.length < mostFieldsPerItem; at = waiting.pop()) {
    const { value, path, key, depth } = at;
    if (typeof value === 'string') {
      if (value !== '' && !formatKeys.has(key))
        fields.push({ item, path, isName: key === 'name' || key === 'uri', text: value });
    } else if (depth >= deepest) {
    } else if (Array.isArray(value)) {
      if (formatKeys.has(key)) continue;
      const children = value.map((child, index) => ({
        value: child,
        path: `${path}[${index}]`,
        key,
        depth: depth + 1,
      }));
      waiting.push(...children.reverse());
      const words = value.filter((child) => typeof child === 'string');
      if (words.length > 1) fields.push({ item, path: `${path}[]`, isName: false, text: words.join(' ') });
    } else if (isObject(value)) {
      const isProperties =
        key === 'properties' || key === 'patternProperties' || key === '$defs' || key === 'definitions';
      const children = entriesOf(value).flatMap(([name, child]): readonly Waiting[] => {
        const place = path === '' ? name : `${path}.${name}`;
        const next = { value: child, path: place, key: isProperties ? '' : name, depth: depth + 1 };
        return isProperties ? [{ value: name, path: `${place} (name)`, key: 'name', depth: depth + 1 }, next] : [next];
      });
      waiting.push(...children.reverse());
    }
  }
  return fields;
}

function itemName(kind: string, item: JsonObject): string {
  return `${kind} ${(asString(item.name) ?? asString(item.uri) ?? asString(item.uriTemplate) ?? '?').slice(0, 120)}`;
}

export function fieldsOf(server: ServerMetadata): readonly Field[] {
  const { instructions, tools, prompts, resources } = server;
  return [
    ...(instructions === undefined
      ? []
      : [{ item: 'instructions', path: 'instructions', isName: false, text: instructions }]),
    ...tools.flatMap((tool) => walk(itemName('tool', tool), tool)),
    ...prompts.flatMap((prompt) => walk(itemName('prompt', prompt), prompt)),
    ...resources.flatMap((resource) => walk(itemName('resource', resource), resource)),
  ];
}
