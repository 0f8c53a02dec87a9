import type { ServerResponse } from 'node:http';

/** What we say ourselves, in the words of the protocol. */

interface Answer {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The rest of the request is not read. */
  readonly isFinal?: boolean;
}

export const answers = {
  host: { status: 403, message: 'this server is not called by that name', isFinal: true },
  origin: { status: 403, message: 'pages of that origin have no access', isFinal: true },
  token: {
    status: 401,
    message: 'a token is needed',
    headers: { 'www-authenticate': 'Bearer realm="hotcell"' },
    isFinal: true,
  },
  path: { status: 404, message: 'there is nothing here', isFinal: true },
  method: {
    status: 405,
    message: 'that method is not served here',
    headers: { allow: 'GET, POST, DELETE' },
    isFinal: true,
  },
  contentType: { status: 415, message: 'the content type has to be application/json', isFinal: true },
  tooLarge: { status: 413, message: 'the body is too large', isFinal: true },
  broken: { status: 400, message: 'the body did not arrive whole', isFinal: true },
  headers: { status: 400, message: 'the headers say something else than the message', isFinal: false },
  busy: { status: 503, message: 'too much is under way', headers: { 'retry-after': '1' }, isFinal: true },
  ending: { status: 503, message: 'the guard is ending', isFinal: true },
  unreachable: { status: 502, message: 'the server in the box does not answer' },
  late: { status: 504, message: 'the server in the box did not answer in time' },
  unreadable: { status: 502, message: 'the server in the box answered something that is no message' },
  internal: { status: 500, message: 'the guard failed' },
} as const satisfies Readonly<Record<string, Answer>>;

export type AnswerId = keyof typeof answers;

const serverError = -32000;

export function errorBody(message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: serverError, message: `Hotcell: ${message}` } });
}

/** After the first byte there is nothing left to say but the end. */
export function sendAnswer(response: ServerResponse, id: AnswerId): void {
  const { status, message, headers, isFinal }: Answer = answers[id];
  sendJson(response, status, errorBody(message), {
    ...headers,
    ...(isFinal === true ? { connection: 'close' } : {}),
  });
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}

export function sendEmpty(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': '0' });
  response.end();
}
