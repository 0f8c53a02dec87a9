import http from 'node:http';
import https from 'node:https';

/**
 * One POST, bounded in time and size. Redirects are not followed: the request carries a key, and it is meant for one host.
 * Never rejects, and says of an error no more than its code: messages of the network can hold what was sent.
 */

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
  /** For a proxy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type Posted =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfter: string; readonly body: string }
  | { readonly kind: 'time' }
  | { readonly kind: 'failed'; readonly because: string };

function agentFor(url: URL, environment: PostOptions['environment']): http.Agent {
  const options = { proxyEnv: { ...environment }, keepAlive: false };
  return url.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{2,60}$/.test(code) ? code : 'the connection failed';
}

export function post(url: URL, { headers, body, mostBytes, signal, environment }: PostOptions): Promise<Posted> {
  const { promise, resolve } = Promise.withResolvers<Posted>();
  const fail = (error: unknown): void =>
    resolve(signal.aborted ? { kind: 'time' } : { kind: 'failed', because: codeOf(error) });
  const agent = agentFor(url, environment);
  const bytes = Buffer.from(body);
  const sent = { ...headers, 'content-length': String(bytes.length), 'accept-encoding': 'identity' };
  try {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      headers: sent,
      agent,
      signal,
    });
    // More than one may come, and each without a listener would be the end of the process.
    request.on('error', fail);
    request.once('response', (response) => {
      const pieces: Buffer[] = [];
      let size = 0;
      response.on('data', (piece: Buffer) => {
        size += piece.length;
        pieces.push(piece);
        if (size <= mostBytes) return;
        resolve({ kind: 'failed', because: `it answered with more than ${mostBytes} bytes` });
        request.destroy();
      });
      response.on('error', fail);
      response.once('aborted', () => fail(new Error('ended early')));
      response.once('end', () => {
        const { statusCode: status = 0, headers: received } = response;
        resolve({
          kind: 'answer',
          status,
          retryAfter: received['retry-after'] ?? '',
          body: Buffer.concat(pieces).toString(),
        });
      });
    });
    request.end(bytes);
  } catch (error) {
    fail(error);
  }
  return promise.finally(() => agent.destroy());
}
