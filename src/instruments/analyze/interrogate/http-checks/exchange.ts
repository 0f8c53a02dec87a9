import type { Evidence } from '../../../../base/finding-schema.ts';
import type { HttpRequest, HttpResponse, RequestFunction } from '../../../../targets/conversation/index.ts';
import { excerpt, oneLine } from '../../inspect/rule.ts';
import { shownBytes } from './limits.ts';

/** A request and its answer as they were seen, for the proof. Headers that the caller adds on the way are not in it. */

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the answer, as far as somebody has read it by now. */
  readonly answer: () => string;
}

const refusals: ReadonlySet<number> = new Set([401, 403, 407, 421]);
const mostExchanges = 64;

async function* kept(body: AsyncIterable<Uint8Array>, head: Buffer[]): AsyncIterable<Uint8Array> {
  let left = shownBytes;
  for await (const chunk of body) {
    if (left > 0) head.push(Buffer.from(chunk.subarray(0, left)));
    left -= chunk.length;
    yield chunk;
  }
}

/** Asks with more headers, keeps what was said, and takes a plain no for all that would follow. */
export function recorded(
  request: RequestFunction,
  more: Readonly<Record<string, string>>,
  exchanges: Exchange[],
): RequestFunction {
  let isRefused = false;
  return async (asked: HttpRequest): Promise<HttpResponse> => {
    if (isRefused) throw new Error('it has refused already');
    const sent = { ...asked.headers, ...more };
    const response = await request({ ...asked, headers: sent });
    const head: Buffer[] = [];
    const { status, headers } = response;
    isRefused = refusals.has(status);
    const { method, path, body } = asked;
    const answer = (): string => Buffer.concat(head).toString('utf8');
    if (exchanges.length < mostExchanges) exchanges.push({ method, path, sent, body, status, headers, answer });
    return { status, headers, body: kept(response.body, head) };
  };
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${oneLine(value, 300)}\n`)
    .join('');

const longestSent = 600;

export function evidenceOf(exchange: Exchange): Evidence {
  const { method, path, sent, body, status, headers } = exchange;
  const request = `${method} ${path}\n${headerLines(sent)}\n${body.slice(0, longestSent)}`;
  return {
    kind: 'response',
    ref: oneLine(`${method} ${path} -> ${status}`, 4000),
    excerpt: excerpt(`${request}\n\n${status}\n${headerLines(headers)}\n${exchange.answer()}`, 2 * shownBytes),
  };
}

const asks = (exchange: Exchange, method: string): boolean => exchange.body.includes(`"method":"${method}"`);

/** What shows that a visit was served: its last call or listing, and the stream that carried the answer where there is one. */
export function proofOf(exchanges: readonly Exchange[]): readonly Evidence[] {
  const asked = ['tools/call', 'tools/list', 'initialize']
    .map((method) => exchanges.findLast((exchange) => asks(exchange, method)))
    .find((exchange) => exchange !== undefined);
  const stream = exchanges.find(({ method, answer }) => method === 'GET' && answer().includes('"result"'));
  return [asked, stream].flatMap((exchange) => (exchange === undefined ? [] : [evidenceOf(exchange)]));
}
