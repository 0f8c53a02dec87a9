import { asString, isObject, type JsonObject } from '../../base/json-shape.ts';

/** What one JSON object is to us, as far as it can be told. Judged leniently: servers forget fields and add others. */

export type Incoming =
  /** `id` as text, for some servers answer a number with a string; null where the server did not say. */
  | { readonly kind: 'answer'; readonly id: string | null; readonly message: JsonObject }
  | { readonly kind: 'request'; readonly id: string | number; readonly method: string; readonly message: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly message: JsonObject }
  | { readonly kind: 'noise'; readonly content: unknown };

const longestId = 200;

export function idText(id: unknown): string | null {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id.length <= longestId ? id.trim() : null;
}

function isRequestId(id: unknown): id is string | number {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= longestId);
}

export function readMessage(value: unknown): Incoming {
  if (!isObject(value)) return { kind: 'noise', content: value };
  const method = asString(value.method);
  const isAnswer = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  if (method !== undefined && !isAnswer) {
    // A program's own log lines may be JSON with a method in them; only the protocol has this mark.
    if (value.jsonrpc !== '2.0') return { kind: 'noise', content: value };
    if (isRequestId(value.id)) return { kind: 'request', id: value.id, method, message: value };
    return { kind: 'notification', method, message: value };
  }
  const id = idText(value.id);
  if (isAnswer || (id !== null && value.jsonrpc === '2.0')) return { kind: 'answer', id, message: value };
  return { kind: 'noise', content: value };
}
