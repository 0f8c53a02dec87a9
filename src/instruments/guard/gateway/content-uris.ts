import { asArray, asString, isObject, type JsonObject } from '../../../base/json-shape.ts';
import { joinUri } from './labels.ts';

/** Addresses of resources in what a server answers, labelled with the server, so that the client can ask for them. */

function labelled(label: string, value: JsonObject): JsonObject {
  const uri = asString(value.uri);
  return uri === undefined ? value : { ...value, uri: joinUri(label, uri) };
}

function inBlock(label: string, block: unknown): unknown {
  if (!isObject(block)) return block;
  if (block.type === 'resource_link') return labelled(label, block);
  if (block.type === 'resource' && isObject(block.resource)) {
    return { ...block, resource: labelled(label, block.resource) };
  }
  return block;
}

type Change = (label: string, result: JsonObject) => JsonObject;

const changes: Readonly<Record<string, Change>> = {
  'tools/call': (label, result) =>
    Array.isArray(result.content)
      ? { ...result, content: result.content.map((block) => inBlock(label, block)) }
      : result,
  'prompts/get': (label, result) => ({
    ...result,
    messages: asArray(result.messages).map((message) =>
      isObject(message) ? { ...message, content: inBlock(label, message.content) } : message,
    ),
  }),
  'resources/read': (label, result) => ({
    ...result,
    contents: asArray(result.contents).map((one) => (isObject(one) ? labelled(label, one) : one)),
  }),
};

export function labelUris(method: string, label: string, result: JsonObject): JsonObject {
  const isOther = result.resultType !== undefined && result.resultType !== 'complete';
  return isOther ? result : (changes[method]?.(label, result) ?? result);
}
