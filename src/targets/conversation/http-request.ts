import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { UsageError } from '../../base/errors.ts';

/** One exchange over HTTP, as the conversation needs it. Redirects are answers like any other. */

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the exchange, also while its answer is read. */
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Rejects when there is no answer at all. */
export type RequestFunction = (request: HttpRequest) => Promise<HttpResponse>;

export interface RequestOptions {
  readonly url: URL;
  /** Sent with every request, such as an authorisation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Another way to the server than the network of this machine. */
  readonly connect?: () => Duplex;
}

const largestHeaderBytes = 64 * 1024;

function plainHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

export function makeRequest({ url, headers = {}, connect }: RequestOptions): RequestFunction {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`cannot talk to ${url.protocol}//`, { hint: 'a server is reached over http:// or https://' });
  }
  const start = url.protocol === 'https:' && connect === undefined ? requestHttps : requestHttp;
  return ({ method, path, headers: own, body, signal }) =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.from(body, 'utf8');
      const asked: ClientRequest = start({
        method,
        path,
        protocol: connect === undefined ? url.protocol : 'http:',
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port === '' ? undefined : url.port,
        maxHeaderSize: largestHeaderBytes,
        headers: {
          host: url.host,
          ...headers,
          ...own,
          ...(bytes.length === 0 ? {} : { 'content-length': String(bytes.length) }),
        },
        // One connection per exchange: what a server leaves in one cannot be taken for the answer to the next. An agent,
        // even a fresh one, would make its own connection on this machine's network instead of taking ours.
        ...(connect === undefined ? { agent: false } : { createConnection: () => connect() }),
        ...(signal === undefined ? {} : { signal }),
      });
      asked.once('error', reject);
      asked.once('response', (response) => {
        // The reader of the body sees its errors; a body that nobody reads has none to see them.
        response.on('error', () => undefined);
        resolve({ status: response.statusCode ?? 0, headers: plainHeaders(response), body: response });
      });
      asked.on('error', () => undefined);
      asked.end(bytes);
    });
}
