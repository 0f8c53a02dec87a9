import type { ServerResponse } from 'node:http';

/** Refusals before the protocol is reached. Each says what was wrong, and none says what would have been right. */

export interface HttpRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The rest of the request is not read. */
  readonly isFinal?: boolean;
}

const serverError = -32000;
const parseError = -32700;

function refusal(status: number, message: string, more: Partial<HttpRefusal> = {}): HttpRefusal {
  return { status, code: serverError, message, ...more };
}

export const refusals = {
  host: refusal(403, 'this server is not called by that name', { isFinal: true }),
  origin: refusal(403, 'pages of that origin have no access', { isFinal: true }),
  token: refusal(401, 'a token is needed', {
    headers: { 'www-authenticate': 'Bearer realm="hotcell"' },
    isFinal: true,
  }),
  failures: refusal(429, 'too many requests without the right token', {
    headers: { 'retry-after': '5' },
    isFinal: true,
  }),
  path: refusal(404, 'there is nothing here', { isFinal: true }),
  method: refusal(405, 'that method is not served here', { headers: { allow: 'GET, POST, DELETE' }, isFinal: true }),
  contentType: refusal(415, 'the content type has to be application/json', { isFinal: true }),
  tooLarge: refusal(413, 'the body is too large', { isFinal: true }),
  broken: refusal(400, 'the body did not arrive whole', { isFinal: true }),
  json: refusal(400, 'not JSON', { code: parseError }),
  rate: refusal(429, 'too many requests', { headers: { 'retry-after': '1' }, isFinal: true }),
  requests: refusal(429, 'too many requests at once', { headers: { 'retry-after': '1' }, isFinal: true }),
  bodies: refusal(429, 'too much is being sent at once', { headers: { 'retry-after': '1' }, isFinal: true }),
  session: refusal(404, 'Session not found', { code: -32001 }),
  sessions: refusal(503, 'too many sessions', { headers: { 'retry-after': '5' } }),
  ending: refusal(503, 'the server is ending', { isFinal: true }),
  internal: refusal(500, 'internal error', { code: -32603 }),
} as const satisfies Readonly<Record<string, HttpRefusal>>;

export type RefusalId = keyof typeof refusals;

export function sendRefusal(response: ServerResponse, id: RefusalId): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, code, message, headers, isFinal }: HttpRefusal = refusals[id];
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
    ...(isFinal === true ? { connection: 'close' } : {}),
  });
  response.end(body);
}
