import { asArray, asString, isObject, type JsonObject } from '../../../base/json-shape.ts';
import { headerValue } from '../../../targets/conversation/parameter-headers.ts';

/** What a bridge has to know of the messages that it carries. */

export const safeHeader = /^[!-~]{1,1000}$/;

const nameFields: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Since 2026 headers repeat what a request says. */
export function modernHeaders(message: JsonObject | null, params: JsonObject): Readonly<Record<string, string>> {
  const method = asString(message?.method);
  const name = method === undefined ? undefined : asString(params[nameFields[method] ?? '']);
  return {
    ...(method === undefined || !safeHeader.test(method) ? {} : { 'mcp-method': method }),
    ...(name === undefined ? {} : { 'mcp-name': headerValue(name) }),
  };
}

export function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

export function withoutReturns(bytes: Buffer): Buffer {
  return bytes.includes(0x0d) ? Buffer.from(bytes.toString('utf8').replaceAll('\r', ' ')) : bytes;
}

export function responsesIn(value: unknown): readonly JsonObject[] {
  const all = Array.isArray(value) ? asArray(value) : [value];
  return all.filter((each) => isObject(each)).filter(({ method, id }) => method === undefined && id !== undefined);
}

export function requestIds(message: unknown): readonly unknown[] {
  const all = Array.isArray(message) ? asArray(message) : [message];
  return all.flatMap((each) =>
    isObject(each) && typeof each.method === 'string' && each.id !== undefined ? [each.id] : [],
  );
}
