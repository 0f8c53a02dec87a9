import type { JsonObject } from '../../../base/json-shape.ts';

/** What JSON-RPC and the protocol call things. */

export const codes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  unsupportedVersion: -32022,
} as const;

/** An answer that is an error; thrown by whoever finds out. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type RequestId = string | number;

export type Reply =
  | { readonly is: 'result'; readonly result: JsonObject }
  | { readonly is: 'error'; readonly error: JsonObject }
  /** No answer will come, and why. */
  | { readonly is: 'none'; readonly because: string };

/** A number and the same number as text are two ids. */
export function idKey(id: unknown): string {
  return `${typeof id}:${String(id)}`;
}

export function isId(id: unknown): id is RequestId {
  return (typeof id === 'string' && id.length <= 200) || Number.isSafeInteger(id);
}
