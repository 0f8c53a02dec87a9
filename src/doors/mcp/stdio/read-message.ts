import { type JSONRPCErrorResponse, type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import type { Line } from './line-reader.ts';

/** A line becomes a message, or the answer that says why not. */

export interface Refusal {
  readonly code: number;
  readonly message: string;
}

export type ReadMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly refused: Refusal; readonly answer: JSONRPCErrorResponse };

const parseError = -32700;
const invalidRequest = -32600;

function refuse(code: number, message: string, id?: string | number): ReadMessage {
  const error = { code, message };
  // The specification of JSON-RPC wants `null` where the id cannot be known; the types of the SDK leave it out.
  const answer = { jsonrpc: '2.0', id: id ?? null, error } as unknown as JSONRPCErrorResponse;
  return { refused: error, answer };
}

function idOf(value: unknown): string | number | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const { id } = value;
  return (typeof id === 'string' && id.length <= 256) || typeof id === 'number' ? id : undefined;
}

/** Null for an empty line. */
export function readMessage(line: Line): ReadMessage | null {
  if ('tooLongBytes' in line) return refuse(invalidRequest, `a message of ${line.tooLongBytes} bytes is too long`);
  if (line.text.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return refuse(parseError, 'not JSON');
  }
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    return refuse(invalidRequest, 'not a message of JSON-RPC 2.0', idOf(value));
  }
}
