import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A harmless server for tests, on loopback, with one habit at a time. Without any it keeps all rules. */

export interface Habits {
  readonly hostUnchecked?: boolean;
  readonly originUnchecked?: boolean;
  /** Wants this as a bearer. */
  readonly token?: string;
  readonly cors?: 'star' | 'star-with-credentials' | 'reflected';
  readonly session?: 'none' | 'count' | 'short' | 'same' | 'unchecked' | 'adopted';
  readonly anyContentType?: boolean;
  readonly anyMethod?: boolean;
  readonly trace?: boolean;
  readonly anyVersion?: boolean;
  readonly stack?: boolean;
  readonly noBodyLimit?: boolean;
  /** The older form beside it, with or without the checks. */
  readonly sse?: 'guarded' | 'unguarded';
  /** Answers with a status alone, whatever was asked. */
  readonly always?: number;
  readonly silent?: boolean;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string };
}

export interface SampleServer {
  readonly url: URL;
  /** Calls of its tool that were carried out. */
  readonly calls: () => number;
  readonly requests: () => number;
  close(): void;
}

const tools = [{ name: 'list_todo', description: 'Lists.', inputSchema: { type: 'object' } }];
const smallBody = 1024 * 1024;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export async function startSampleServer(habits: Habits = {}): Promise<SampleServer> {
  const sessions = new Set<string>();
  const streams = new Map<string, ServerResponse>();
  let [calls, requests] = [0, 0];

  const resultOf = ({ method, params }: Message): unknown => {
    if (method === 'initialize') {
      const protocolVersion = habits.anyVersion ? params?.protocolVersion : '2025-06-18';
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'sample', version: '1' } };
    }
    if (method === 'tools/list') return { tools };
    if (method !== 'tools/call') return undefined;
    calls += 1;
    return { content: [{ type: 'text', text: 'water the plants' }] };
  };
  const answerTo = (message: Message): string => {
    const result = resultOf(message);
    const error = { code: -32601, message: 'no such method' };
    return JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(result === undefined ? { error } : { result }) });
  };
  const newSession = (asked: string | undefined): string | null => {
    switch (habits.session) {
      case 'none':
        return null;
      case 'count':
        return `session-${1000 + sessions.size}`;
      case 'short':
        return randomUUID().slice(0, 6);
      case 'same':
        return 'the-only-session';
      case 'adopted':
        return asked ?? randomUUID();
      default:
        return randomUUID();
    }
  };
  const corsHeaders = ({ headers: { origin } }: IncomingMessage): Record<string, string> =>
    habits.cors === undefined || origin === undefined
      ? {}
      : {
          'access-control-allow-origin': habits.cors === 'reflected' ? origin : '*',
          'access-control-allow-headers': 'Content-Type, Mcp-Session-Id, Mcp-Protocol-Version',
          'access-control-expose-headers': 'Mcp-Session-Id',
          ...(habits.cors === 'star' ? {} : { 'access-control-allow-credentials': 'true' }),
        };
  const isWelcome = ({ headers: { host = '', origin, authorization } }: IncomingMessage, isOlder: boolean): number => {
    const isFree = isOlder && habits.sse === 'unguarded';
    if (!habits.hostUnchecked && !isFree && !host.startsWith('127.0.0.1:')) return 403;
    if (!habits.originUnchecked && !isFree && origin !== undefined && !origin.includes('127.0.0.1')) return 403;
    return habits.token !== undefined && authorization !== `Bearer ${habits.token}` ? 401 : 200;
  };
  const takeOlder = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = new URL(request.url ?? '/', 'http://x').searchParams.get('id') ?? '';
    if (request.method === 'GET') {
      const own = randomUUID();
      streams.set(own, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /sse?id=${own}\n\n`);
      return;
    }
    const stream = streams.get(id);
    if (request.method !== 'POST' || stream === undefined) return void response.writeHead(404).end();
    const message = JSON.parse(await bodyOf(request)) as Message;
    response.writeHead(202).end();
    if (message.id !== undefined) stream.write(`event: message\ndata: ${answerTo(message)}\n\n`);
  };

  const server = createServer(async (request, response) => {
    requests += 1;
    if (habits.silent) return;
    const reply = (status: number, body = '', more: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...corsHeaders(request), ...more }).end(body);
    };
    if (habits.always !== undefined) return reply(habits.always);
    const isOlder = request.url?.startsWith('/sse') === true;
    const welcome = isWelcome(request, isOlder);
    if (welcome !== 200) return reply(welcome);
    if (isOlder && habits.sse !== undefined) return takeOlder(request, response);
    if (request.url !== '/mcp') return reply(404);
    if (request.method === 'OPTIONS') return reply(204);
    if (request.method === 'TRACE') return reply(habits.trace ? 200 : 405, JSON.stringify(request.headers));
    if (request.method === 'DELETE') {
      // Counting goes on; other ids are forgotten.
      if (habits.session !== 'count') sessions.delete(String(request.headers['mcp-session-id']));
      return reply(204);
    }
    if (request.method !== 'POST' && !(habits.anyMethod && request.method === 'PUT')) return reply(405);
    if (!habits.anyContentType && request.headers['content-type'] !== 'application/json') return reply(415);
    const body = await bodyOf(request);
    if (!habits.noBodyLimit && body.length > smallBody) return reply(413);
    let message: Message;
    try {
      message = JSON.parse(body) as Message;
    } catch (error) {
      return reply(400, JSON.stringify({ error: habits.stack ? (error as Error).stack : 'no JSON' }));
    }
    const asked = request.headers['mcp-session-id'] as string | undefined;
    const isFirst = message.method === 'initialize';
    const needsSession = habits.session !== 'none' && habits.session !== 'unchecked' && !isFirst;
    if (needsSession && !sessions.has(asked ?? '')) return reply(404);
    if (message.id === undefined) return reply(202);
    const session = isFirst ? newSession(asked) : null;
    if (session !== null) sessions.add(session);
    return reply(200, answerTo(message), session === null ? {} : { 'mcp-session-id': session });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    calls: () => calls,
    requests: () => requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
