import { type IncomingHttpHeaders, request } from 'node:http';

/** One request on loopback, with any method and any header, redirects not followed. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The answer is left after this many bytes. */
  readonly mostBytes?: number;
}

export function ask(url: string, options: AskOptions = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body, mostBytes = 1024 * 1024 } = options;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false, timeout: 10_000 }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const end = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('latin1'),
        });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size < mostBytes) return;
        end();
        response.destroy();
      });
      response.once('end', end);
      response.once('error', reject);
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.once('error', reject);
    sent.end(body);
  });
}

export function askJson(url: string, value: unknown, headers: AskOptions['headers'] = {}): Promise<Reply> {
  return ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });
}
