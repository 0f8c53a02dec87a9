import type { IncomingHttpHeaders } from 'node:http';
import { asObject, asString, isObject } from '../../../base/json-shape.ts';
import { headerValue } from '../../../targets/conversation/parameter-headers.ts';

/** Headers that pass. All others belong to one connection, to a browser, or to nobody. */

const toServer: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'user-agent',
]);
const toClient: ReadonlySet<string> = new Set([
  'allow',
  'cache-control',
  'mcp-protocol-version',
  'mcp-session-id',
  'retry-after',
  'www-authenticate',
]);
const safeValue = /^[\t -~\x80-\xff]{0,4096}$/;

type Headers = Readonly<Record<string, string>>;

function pick(headers: IncomingHttpHeaders, isWanted: (name: string) => boolean): Headers {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? value.join(', ') : value;
      return text !== undefined && isWanted(name) && safeValue.test(text) ? [[name, text]] : [];
    }),
  );
}

/** The authorisation is for the server, unless it was for us. */
export function headersToServer(headers: IncomingHttpHeaders, isTokenOurs: boolean): Headers {
  return pick(
    headers,
    (name) => toServer.has(name) || name.startsWith('mcp-param-') || (name === 'authorization' && !isTokenOurs),
  );
}

export function headersToClient(headers: Headers): Headers {
  return pick(headers, (name) => toClient.has(name));
}

const nameFields: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

function isSame(header: string | undefined, said: unknown): boolean {
  const text = asString(said);
  return header === undefined || (text !== undefined && (header === text || header === headerValue(text)));
}

/** What a header says about a message has to be what the message says: rules judge the message. */
export function doHeadersAgree(headers: Headers, message: unknown): boolean {
  const { 'mcp-method': method, 'mcp-name': name } = headers;
  if (method === undefined && name === undefined) return true;
  if (!isObject(message)) return false;
  const field = nameFields[asString(message.method) ?? ''];
  return isSame(method, message.method) && (field === undefined || isSame(name, asObject(message.params)[field]));
}
