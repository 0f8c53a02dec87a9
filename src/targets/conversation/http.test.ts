import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { forTerminal } from '../../base/untrusted.ts';
import type { CallOutcome } from './contract.ts';
import { discoverEndpoint } from './discover-endpoint.ts';
import type { DriveOptions } from './driven-conversation.ts';
import { openHttpConversation } from './http.ts';
import { makeRequest } from './http-request.ts';

/** Servers of ours on loopback, good and bad, in every form that HTTP has had. */

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

type Handler = (message: Message, response: ServerResponse, request: IncomingMessage) => void;

const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

async function listen(onRequest: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

const identity = { name: 'cursor', version: '1.0.0' };

async function open(handler: Handler, options: Partial<DriveOptions> = {}, onGet?: Handler) {
  const seen: { method: string; headers: IncomingMessage['headers']; message: Message }[] = [];
  const url = await listen(async (request, response) => {
    const body = await readAll(request);
    const message = (body === '' ? {} : JSON.parse(body)) as Message;
    seen.push({ method: request.method ?? '', headers: request.headers, message });
    if (request.method === 'POST') handler(message, response, request);
    else if (request.method === 'GET' && onGet !== undefined) onGet(message, response, request);
    else response.writeHead(405).end();
  });
  const passed: string[] = [];
  const tap = {
    feed: (direction: string, bytes: Uint8Array) => void passed.push(`${direction} ${Buffer.from(bytes).toString()}`),
  };
  const conversation = openHttpConversation(
    { url, request: makeRequest({ url }), tap },
    { identity, timeoutMs: 500, ...options },
  );
  return { conversation, seen, passed, url };
}

const welcome = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'h', version: '1' } };
const words = (text: string) => ({ content: [{ type: 'text', text }] });
const answer = (id: unknown, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });

function sendJson(response: ServerResponse, body: string, headers: Record<string, string> = {}, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

const until =
  (onCall: Handler): Handler =>
  (message, response, request) => {
    if (message.method === 'initialize') sendJson(response, answer(message.id, welcome), { 'mcp-session-id': 'abc' });
    else if (message.method === 'tools/call') onCall(message, response, request);
    else response.writeHead(202).end();
  };

function sendEvents(response: ServerResponse, ...data: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const each of data) response.write(`event: message\ndata: ${each}\n\n`);
}

const cases: readonly {
  title: string;
  onCall: Handler;
  outcome: CallOutcome;
  shows?: string;
  limits?: DriveOptions['limits'];
}[] = [
  {
    title: 'a document',
    onCall: ({ id }, r) => sendJson(r, answer(id, words('fine'))),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'events',
    onCall: ({ id }, r) => {
      sendEvents(r, '{"jsonrpc":"2.0","method":"notifications/message"}', answer(id, words('fine')));
      r.end();
    },
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'events that never end',
    onCall: ({ id }, r) => sendEvents(r, answer(id, words('fine'))),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'events that end without an answer',
    onCall: (_m, r) => {
      sendEvents(r, '{}');
      r.end();
    },
    outcome: 'gone',
  },
  {
    title: 'a document without a type',
    onCall: ({ id }, r) => r.end(answer(id, words('fine'))),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a page',
    onCall: (_m, r) => {
      r.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    },
    outcome: 'invalid',
    shows: '<html>',
  },
  {
    title: 'an empty answer',
    onCall: (_m, r) => {
      r.end();
    },
    outcome: 'invalid',
  },
  {
    title: 'a redirect',
    onCall: (_m, r) => {
      r.writeHead(302, { location: 'http://evil.example/' }).end();
    },
    outcome: 'invalid',
  },
  {
    title: 'a refusal',
    onCall: (_m, r) => {
      r.writeHead(401).end('who?');
    },
    outcome: 'invalid',
    shows: 'who?',
  },
  {
    title: 'an error of the protocol',
    onCall: ({ id }, r) => sendJson(r, JSON.stringify({ jsonrpc: '2.0', id, error: { message: 'bad' } }), {}, 400),
    outcome: 'rpc-error',
    shows: 'bad',
  },
  {
    title: 'a connection that breaks',
    onCall: (_m, r) => {
      r.destroy();
    },
    outcome: 'gone',
  },
  {
    title: 'a body that breaks',
    onCall: (_m, r) => {
      r.writeHead(200, { 'content-length': '1000' });
      r.write('{');
      setTimeout(() => r.destroy(), 20);
    },
    outcome: 'gone',
  },
  { title: 'nothing', onCall: () => undefined, outcome: 'timeout' },
  {
    title: 'half a document',
    onCall: (_m, r) => {
      r.write('{');
    },
    outcome: 'timeout',
  },
  {
    title: 'a document over the cap',
    onCall: ({ id }, r) => sendJson(r, answer(id, words('x'.repeat(100_000)))),
    outcome: 'invalid',
    limits: { frameBytes: 5000 },
  },
  {
    title: 'an event over the cap',
    onCall: ({ id }, r) => sendEvents(r, answer(id, words('x'.repeat(100_000)))),
    outcome: 'invalid',
    limits: { frameBytes: 5000 },
  },
  {
    title: 'events without end',
    onCall: (_m, r) => {
      sendEvents(r);
      const more = () => {
        while (!r.destroyed && r.write('data: "noise"\n\n'.repeat(1000)));
        r.once('drain', more);
      };
      more();
    },
    outcome: 'invalid',
    limits: { turnBytes: 1_000_000 },
  },
  { title: 'another answer', onCall: ({ id }, r) => sendJson(r, answer(Number(id) + 7, {})), outcome: 'invalid' },
  {
    title: 'too many headers',
    onCall: ({ id }, r) => sendJson(r, answer(id, {}), { 'x-long': 'x'.repeat(100_000) }),
    outcome: 'gone',
  },
];

describe('a call over HTTP answered with', () => {
  it.each(cases)('$title', async ({ onCall, outcome, shows, limits = {} }) => {
    let calls = 0;
    const { conversation } = await open(
      until((message, response, request) => {
        calls += 1;
        if (calls === 1) onCall(message, response, request);
        else sendJson(response, answer(message.id, words('second')));
      }),
      { limits },
    );
    await conversation.handshake();
    const result = await conversation.call('tool', {});
    expect(result.outcome).toBe(outcome);
    if (shows !== undefined) expect(forTerminal(result.text)).toBe(shows);
    expect(forTerminal((await conversation.call('tool', {})).text)).toBe('second');
    await conversation.close();
  });
});

describe('a session', () => {
  it('carries its id and version, is heard aside, and is ended', async () => {
    let aside: ServerResponse | null = null;
    const notices: unknown[] = [];
    const { conversation, seen, passed } = await open(
      until(({ id }, response) => {
        aside?.write('data: {"jsonrpc":"2.0","id":"q","method":"roots/list"}\n\n');
        setTimeout(() => sendJson(response, answer(id, words('fine'))), 50);
      }),
      { onMessage: (notice) => void notices.push(notice) },
      (_message, response) => {
        sendEvents(response);
        response.flushHeaders();
        aside = response;
      },
    );
    await conversation.handshake();
    await expect.poll(() => aside).not.toBeNull();
    await conversation.call('tool', {});
    expect(notices).toMatchObject([{ kind: 'request', content: { method: 'roots/list' } }]);
    await expect.poll(() => seen.some(({ message }) => String(message.id) === 'q')).toBe(true);
    await conversation.close();
    const call = seen.find(({ message }) => message.method === 'tools/call');
    expect(call?.headers).toMatchObject({ 'mcp-session-id': 'abc', 'mcp-protocol-version': '2025-06-18' });
    expect(call?.headers['mcp-method']).toBeUndefined();
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'abc' } });
    expect(passed.some((line) => line.startsWith('to-target {"jsonrpc":"2.0","id":2,"method":"tools/call"'))).toBe(
      true,
    );
    expect(passed.some((line) => line.startsWith('from-target') && line.includes('fine'))).toBe(true);
  });
});

describe('since 2026', () => {
  it('headers repeat what a request says', async () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string', 'x-mcp-header': 'City' },
        n: { type: 'integer', 'x-mcp-header': 'N' },
        bad: { type: 'string', 'x-mcp-header': 'a b' },
      },
    };
    const { conversation, seen } = await open((message, response) => {
      if (message.method === 'server/discover') {
        sendJson(
          response,
          answer(message.id, {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
          }),
        );
      } else if (message.method === 'tools/list')
        sendJson(response, answer(message.id, { tools: [{ name: 'weather', inputSchema: schema }] }));
      else if (message.method === 'tools/call') sendJson(response, answer(message.id, words('sun')));
      else
        sendJson(
          response,
          JSON.stringify({
            jsonrpc: '2.0',
            id: message.id,
            error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } },
          }),
          {},
          400,
        );
    });
    expect((await conversation.handshake()).protocolVersion).toBe('2026-07-28');
    await conversation.list();
    expect(forTerminal((await conversation.call('weather', { city: 'Łódź', n: 3, bad: 'x' })).text)).toBe('sun');
    await conversation.close();
    expect(seen.map(({ method }) => method)).not.toContain('GET');
    expect(seen.at(-1)?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'weather',
      'mcp-param-city': `=?base64?${Buffer.from('Łódź').toString('base64')}?=`,
      'mcp-param-n': '3',
    });
  });
});

/** The older form, on the path `/sse`, with its messages elsewhere. */
async function openOld(endpoint: (url: URL) => string) {
  let stream: ServerResponse | null = null;
  const url = await listen(async (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'GET' && path === '/sse') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${endpoint(url)}\n\n`);
      stream = response;
    } else if (request.method === 'POST' && path.startsWith('/messages?session=7')) {
      const message = JSON.parse(await readAll(request)) as Message;
      response.writeHead(202).end('Accepted');
      if (message.method === 'initialize')
        stream?.write(`data: ${answer(message.id, { ...welcome, protocolVersion: '2024-11-05' })}\n\n`);
      if (message.method === 'tools/call' && message.params?.name === 'die') stream?.end();
      else if (message.method === 'tools/call') stream?.write(`data: ${answer(message.id, words('old'))}\n\n`);
    } else response.writeHead(404).end('not here');
  });
  url.pathname = '/sse';
  return {
    url,
    conversation: openHttpConversation({ url, request: makeRequest({ url }) }, { identity, timeoutMs: 1000 }),
  };
}

describe('the older form', () => {
  it('is found when the newer is refused', async () => {
    const { conversation } = await openOld(() => '/messages?session=7');
    expect((await conversation.handshake()).protocolVersion).toBe('2024-11-05');
    expect(forTerminal((await conversation.call('tool', {})).text)).toBe('old');
    expect((await conversation.call('die', {})).outcome).toBe('gone');
    expect((await conversation.call('tool', {})).outcome).toBe('gone');
    await conversation.close();
  });

  it('leads nowhere else', async () => {
    const { conversation } = await openOld(() => 'http://elsewhere.example/messages?session=7');
    await expect(conversation.handshake()).rejects.toThrow(/HTTP 404/);
    await conversation.close();
  });
});

describe('an endpoint', () => {
  it('is found in the newer form', async () => {
    const ended: string[] = [];
    const url = await listen(async (request, response) => {
      if (request.method === 'DELETE') ended.push(String(request.headers['mcp-session-id']));
      if (request.url !== '/api/mcp' || request.method !== 'POST') return void response.writeHead(404).end();
      const message = JSON.parse(await readAll(request)) as Message;
      response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's1' });
      response.write(`data: ${answer(message.id, welcome)}\n\n`);
    });
    const found = await discoverEndpoint({ identity, url, request: makeRequest({ url }) });
    expect(found).toEqual({ path: '/api/mcp', form: 'streamable', needsAuthorisation: false });
    expect(ended).toEqual(['s1']);
  });

  it('is found in the older form', async () => {
    const { url, conversation } = await openOld(() => '/messages?session=7');
    expect(await discoverEndpoint({ identity, url, request: makeRequest({ url }) })).toMatchObject({
      path: '/sse',
      form: 'sse',
    });
    await conversation.close();
  });

  it('may want to know who asks', async () => {
    const url = await listen((_request, response) => response.writeHead(401).end());
    expect(await discoverEndpoint({ identity, url, request: makeRequest({ url }) })).toMatchObject({
      path: '/mcp',
      needsAuthorisation: true,
    });
  });

  it('is none where nobody speaks, and where nobody listens', async () => {
    const url = await listen((_request, response) => response.end('<html>hello'));
    expect(await discoverEndpoint({ identity, url, request: makeRequest({ url }) })).toBeNull();
    const nobody = async () => Promise.reject(new Error('ECONNREFUSED'));
    expect(await discoverEndpoint({ identity, url, request: nobody, timeoutMs: 300 })).toBeNull();
  });
});
