import { HostError } from '../../../../base/errors.ts';
import { mebibyte } from '../../../../base/limits.ts';

/** The one thing that sources need of the network; whoever calls decides about proxies and credentials. */

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: Uint8Array;
}

export type HttpClient = (request: HttpRequest) => Promise<HttpResponse>;

export const defaultTimeoutMs = 20_000;
export const defaultMostBytes = 64 * mebibyte;

/** Built on fetch: bounded in time and size, and no redirect is followed to somewhere nobody named. */
export const fetchClient: HttpClient = async ({ method, url, headers, body, timeoutMs, mostBytes }) => {
  const response = await fetch(url, {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw new HostError(`${new URL(url).host} answered with more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return { status: response.status, body: Buffer.concat(chunks) };
};

/** The parsed answer; anything but 200 and JSON is a HostError. */
export async function requestJson(client: HttpClient, request: HttpRequest): Promise<unknown> {
  const { status, body } = await client(request);
  const { host, pathname } = new URL(request.url);
  if (status !== 200) throw new HostError(`${host}${pathname} answered ${status}`);
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new HostError(`${host}${pathname} did not answer in JSON`, { cause });
  }
}
