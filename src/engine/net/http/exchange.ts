import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { BoundedBytes, keepBytes } from '../event.ts';
import type { Conversation } from '../listener.ts';
import type { HttpAnswer, HttpRequest } from './site.ts';
import { sites } from './sites/index.ts';

/** One request and its answer, for both versions of HTTP. */

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

function pairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from(
    { length: Math.floor(raw.length / 2) },
    (_, at) => [raw[at * 2] ?? '', raw[at * 2 + 1] ?? ''] as const,
  );
}

/** Lower case and without the port. */
export function hostOf(authority: string): string {
  return authority
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** A request through a proxy names the whole address; what counts then is the host in there. */
function target(url: string, authority: string): { readonly host: string; readonly path: string } {
  const [, host, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (host === undefined) return { host: hostOf(authority), path: url };
  return { host: hostOf(host), path: path === '' || path === undefined ? '/' : path };
}

function describe(incoming: Incoming, body: Buffer, { tls, asked }: Conversation): HttpRequest {
  const headers = pairs(incoming.rawHeaders);
  const given = headers.find(([name]) => /^(host|:authority)$/i.test(name))?.[1];
  const { host, path } = target(incoming.url ?? '/', given ?? tls?.serverName ?? asked.name ?? asked.address);
  const version = incoming.httpVersion;
  return { method: incoming.method ?? 'GET', host, path, version, headers, body, isSecure: tls !== null };
}

/** False when the box went away in the middle; what had arrived is kept. */
async function readBody(incoming: Incoming, body: BoundedBytes, conversation: Conversation): Promise<boolean> {
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      body.add(chunk);
      if (body.seen <= conversation.world.config.caps.readBytes) continue;
      await conversation.record('limit-hit', { fields: { limit: 'readBytes', seenBytes: body.seen } });
      return false;
    }
    return true;
  } catch {
    return false;
  }
}

async function chooseAnswer(request: HttpRequest, conversation: Conversation) {
  for (const site of sites) {
    const answer = await site.answer(request, conversation);
    if (answer !== null) return { site: site.id, answer };
  }
  return { site: 'none', answer: { status: 404, headers: {}, body: Buffer.alloc(0) } satisfies HttpAnswer };
}

function send(outgoing: Outgoing, request: HttpRequest, answer: HttpAnswer): void {
  const length = answer.isChunked === true ? {} : { 'content-length': String(answer.body.length) };
  const headers = { server: 'nginx', ...answer.headers, ...length };
  const hasNoBody = request.method === 'HEAD' || answer.status === 204 || answer.status === 304;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if (answer.status === 204) outgoing.removeHeader('content-length');
  outgoing.statusCode = answer.status;
  // Headers that are out before the body is known say nothing of its length.
  if (answer.isChunked === true && 'flushHeaders' in outgoing) outgoing.flushHeaders();
  outgoing.end(hasNoBody ? '' : answer.body);
}

export async function exchange(incoming: Incoming, outgoing: Outgoing, conversation: Conversation): Promise<void> {
  const { keptBytes } = conversation.world.config.caps;
  const body = new BoundedBytes(keptBytes);
  const isWhole = await readBody(incoming, body, conversation);
  const request = describe(incoming, body.bytes(), conversation);
  const { method, host, path, version } = request;
  await conversation.record('http-request', {
    fields: { method, host, path, version, headers: request.headers, isWhole },
    bytes: body.kept(),
  });
  if (!isWhole || outgoing.destroyed) return;
  const { site, answer } = await chooseAnswer(request, conversation);
  send(outgoing, request, answer);
  await conversation.record('http-response', {
    fields: {
      method,
      host,
      path,
      site,
      status: answer.status,
      reason: STATUS_CODES[answer.status] ?? '',
      headers: Object.entries(answer.headers),
    },
    bytes: keepBytes(answer.body, keptBytes),
  });
}
