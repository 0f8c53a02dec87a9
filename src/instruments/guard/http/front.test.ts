import { request as requestHttp, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import type { LedgerEntry } from '../../../engine/ledger/contract.ts';
import type { HttpFront, HttpFrontOptions } from './contract.ts';
import { openHttpFront } from './open-front.ts';
import { listenSample, openSampleGate, type SampleInner, type Seen, withSortedKeys } from './sample-front.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Opened {
  readonly inner: SampleInner;
  readonly front: HttpFront;
  readonly entries: readonly LedgerEntry[];
  readonly told: readonly string[];
  post(body: unknown, headers?: Readonly<Record<string, string>>, path?: string): Promise<Response>;
}

async function open(
  answer: (seen: Seen, response: ServerResponse) => void | Promise<void>,
  more: Partial<HttpFrontOptions> = {},
): Promise<Opened> {
  const inner = await listenSample(answer);
  const entries: LedgerEntry[] = [];
  const told: string[] = [];
  const front = await openHttpFront({
    listen: { host: '127.0.0.1', port: 0 },
    request: inner.request,
    openGate: () => openSampleGate(entries),
    tell: (line) => void told.push(line),
    ...more,
  });
  stops.push(inner.close, () => front.close());
  const post: Opened['post'] = (body, headers = {}, path = '/mcp') =>
    fetch(new URL(path, front.url), {
      method: 'POST',
      headers: { ...json, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { inner, front, entries, told, post };
}

const call = (id: unknown, name = 'good') => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

function sendJson(
  response: ServerResponse,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

describe('a front before a server that speaks HTTP', () => {
  it('passes bytes as they are, sessions and headers of the protocol, and no others', async () => {
    const { inner, post, front, entries } = await open(({ body, method }, response) => {
      if (method === 'DELETE') return void response.writeHead(204).end();
      const { id } = JSON.parse(body);
      sendJson(response, `{ "jsonrpc":"2.0" ,"id":${JSON.stringify(id)},"result":{"n":1.0}}`, {
        'mcp-session-id': 's1',
        'set-cookie': 'a=b',
        'x-inner': '1',
      });
    });
    const sent =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call",\n  "params":{"name":"good","arguments":{"big":12345678901234567890}}}';
    const answer = await post(sent, {
      'mcp-session-id': 's0',
      'last-event-id': '4',
      'mcp-protocol-version': '2025-06-18',
      cookie: 'c=d',
      'x-other': '1',
      authorization: 'Bearer inner',
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('{ "jsonrpc":"2.0" ,"id":1,"result":{"n":1.0}}');
    expect(Object.fromEntries(answer.headers)).toMatchObject({ 'mcp-session-id': 's1' });
    expect([answer.headers.get('set-cookie'), answer.headers.get('x-inner')]).toEqual([null, null]);
    const [first] = inner.seen;
    expect(first?.body).toBe(sent);
    expect(first?.headers).toMatchObject({
      'mcp-session-id': 's0',
      'last-event-id': '4',
      'mcp-protocol-version': '2025-06-18',
      authorization: 'Bearer inner',
    });
    expect(first?.headers).not.toHaveProperty('cookie');
    expect(first?.headers).not.toHaveProperty('x-other');
    expect(entries).toMatchObject([{ action: 'tool.call', verdict: 'allowed' }]);
    expect(front.counts().sessions).toBe(1);
    expect((await fetch(front.url, { method: 'DELETE', headers: { 'mcp-session-id': 's1' } })).status).toBe(204);
    await expect.poll(() => front.counts()).toMatchObject({ sessions: 0, exchanges: 0 });
  });

  it('refuses what rules refuse, alone and in a batch, and changes what they change', async () => {
    const { inner, post } = await open(({ body }, response) => {
      const message = JSON.parse(body);
      const all = Array.isArray(message) ? message : [message];
      const results = all.map(({ id }) => ({ jsonrpc: '2.0', id, result: { text: 'a SECRET' } }));
      sendJson(response, Array.isArray(message) ? results : results[0]);
    });
    const refused = await (await post(call(1, 'bad'))).json();
    expect(refused).toMatchObject({ id: 1, error: { message: expect.stringContaining('test/denied') } });
    expect(inner.seen).toHaveLength(0);
    expect(await (await post(call(2))).json()).toEqual({ jsonrpc: '2.0', id: 2, result: { text: 'a xxx' } });
    const batch = await (await post([call('a'), call('b', 'bad'), call('c')])).json();
    expect(batch).toMatchObject([{ id: 'a', result: { text: 'a xxx' } }, { id: 'c' }, { id: 'b', error: {} }]);
    expect(JSON.parse(inner.seen.at(-1)?.body ?? '')).toMatchObject([{ id: 'a' }, { id: 'c' }]);
    expect(await (await post('no json')).json()).toMatchObject({ id: null, error: {} });
  });

  it('judges events as they come, over a stream that stays open', async () => {
    let stream: ServerResponse | null = null;
    const { inner, post, front } = await open(({ method, body }, response) => {
      if (method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        stream = response;
        return;
      }
      const message = JSON.parse(body);
      if (message.method === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'mcp-session-id': 's' });
      response.write('id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
      response.end(`id: 2\ndata: {"jsonrpc":"2.0","id":${message.id},"result":"SECRET"}\n\n`);
    });
    const headers = { 'mcp-session-id': 's' };
    const answer = await post(call(1), headers);
    expect(withSortedKeys(await answer.text())).toBe(
      'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\nid: 2\ndata: {"id":1,"jsonrpc":"2.0","result":"xxx"}\n\n',
    );
    const aside = await fetch(front.url, {
      headers: { ...headers, accept: 'text/event-stream', 'last-event-id': '2' },
    });
    const reader = aside.body?.pipeThrough(new TextDecoderStream()).getReader();
    await expect.poll(() => stream).not.toBeNull();
    expect(inner.seen.at(-1)?.headers['last-event-id']).toBe('2');
    (stream as ServerResponse | null)?.write('data: {"jsonrpc":"2.0","id":9,"method":"roots/list"}\n\n');
    expect((await reader?.read())?.value).toContain('roots/list');
    // The answer of the client belongs to the same session; one that nobody asked for goes nowhere.
    expect((await post({ jsonrpc: '2.0', id: 9, result: {} }, headers)).status).toBe(202);
    const posts = inner.seen.length;
    expect((await post({ jsonrpc: '2.0', id: 10, result: {} }, headers)).status).toBe(202);
    expect(inner.seen).toHaveLength(posts);
    // What the server may not ask is answered on its own path.
    (stream as ServerResponse | null)?.write('data: {"jsonrpc":"2.0","id":11,"method":"sampling/createMessage"}\n\n');
    await expect.poll(() => inner.seen.at(-1)?.body ?? '').toContain('"id":11,"error"');
    expect(inner.seen.at(-1)?.headers).toMatchObject(headers);
    await reader?.cancel();
    await expect.poll(() => front.counts().exchanges).toBe(0);
  });

  it('keeps two sessions with the same ids apart', async () => {
    const waiting = new Map<string, ServerResponse>();
    const { post } = await open(
      ({ headers }, response) => void waiting.set(String(headers['mcp-session-id']), response),
    );
    const asked = ['a', 'b'].map((session) => post(call(1), { 'mcp-session-id': session }));
    await expect.poll(() => waiting.size).toBe(2);
    for (const [session, response] of waiting) sendJson(response, { jsonrpc: '2.0', id: 1, result: session });
    const answers = await Promise.all(asked.map(async (each) => (await each).json()));
    expect(answers).toMatchObject([{ result: 'a' }, { result: 'b' }]);
  });

  it('serves the older form, and the paths that the server names', async () => {
    let stream: ServerResponse | null = null;
    const { post, front, inner } = await open(({ method, body }, response) => {
      if (method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`event: endpoint\ndata: ${inner.url.origin}/private/messages?s=1\n\n`);
        stream = response;
      } else {
        response.writeHead(202).end('Accepted');
        stream?.write(`event: message\ndata: {"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":"SECRET"}\n\n`);
      }
    });
    expect((await post(call(1), {}, '/private/messages?s=1')).status).toBe(404);
    const events = await fetch(new URL('/sse', front.url));
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('event: endpoint\ndata: /private/messages?s=1\n\n');
    expect((await post(call(1), {}, '/private/messages?s=1')).status).toBe(202);
    expect(withSortedKeys((await reader?.read())?.value ?? '')).toBe(
      'event: message\ndata: {"id":1,"jsonrpc":"2.0","result":"xxx"}\n\n',
    );
    expect((await post(call(2), {}, '/private/messages?s=2')).status).toBe(404);
    await reader?.cancel();
  });

  const broken: readonly (readonly [string, (response: ServerResponse) => void, number, boolean])[] = [
    [
      'a page',
      (response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<b>SECRET</b>'),
      500,
      true,
    ],
    ['another answer', (response) => sendJson(response, { jsonrpc: '2.0', id: 77, result: 1 }), 502, true],
    [
      'half a body',
      (response) => void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
      502,
      true,
    ],
    ['no answer', (response) => void response.destroy(), 502, true],
    ['packed bytes', (response) => sendJson(response, '{}', { 'content-encoding': 'gzip' }), 502, true],
    ['too much', (response) => sendJson(response, `{"x":"${'x'.repeat(20_000)}"}`), 502, true],
    ['nothing', () => undefined, 504, true],
    ['an empty 202', (response) => void response.writeHead(202).end(), 202, false],
  ];
  it.each(broken)('survives a server that answers %s', async (_what, answer, status, hasError) => {
    let count = 0;
    const { post } = await open(
      ({ body }, response) => {
        count += 1;
        if (count === 1) answer(response);
        else sendJson(response, { jsonrpc: '2.0', id: JSON.parse(body).id, result: 1 });
      },
      { limits: { messageBytes: 10_000, answerMs: 300 } },
    );
    const headers = { 'mcp-session-id': 's' };
    const answered = await post(call(1), headers);
    expect(answered.status).toBe(status);
    const text = await answered.text();
    expect(text).not.toContain('SECRET');
    if (hasError) expect(JSON.parse(text)).toMatchObject({ error: {} });
    // The id is free again, unless an answer may still come.
    if (hasError) expect(await (await post(call(1), headers)).json()).toMatchObject({ result: 1 });
  });
});

describe('who is turned away', () => {
  const raw = (front: HttpFront, headers: Readonly<Record<string, string>>, method = 'POST', path = '/mcp') =>
    new Promise<number>((resolve, reject) => {
      const asked = requestHttp({
        host: '127.0.0.1',
        port: front.port,
        method,
        path,
        headers: { ...json, ...headers },
      });
      asked.once('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.once('error', reject);
      asked.end(method === 'POST' ? JSON.stringify(call(1)) : undefined);
    });
  const fine = ({ body }: Seen, response: ServerResponse) =>
    sendJson(response, { jsonrpc: '2.0', id: body === '' ? null : JSON.parse(body).id, result: 1 });

  const cases: readonly (readonly [string, Readonly<Record<string, string>>, string, string, number])[] = [
    ['nobody', {}, 'POST', '/mcp', 200],
    ['a page of this machine', { origin: 'http://localhost:3000' }, 'POST', '/mcp', 200],
    ['another name', { host: 'evil.example' }, 'POST', '/mcp', 403],
    ['another origin', { origin: 'https://evil.example' }, 'POST', '/mcp', 403],
    ['an origin that is none', { origin: 'null' }, 'POST', '/mcp', 403],
    ['another path', {}, 'POST', '/admin', 404],
    ['a path with a query', {}, 'POST', '/mcp?x=1', 200],
    ['another method', {}, 'PUT', '/mcp', 405],
    ['a form', { 'content-type': 'text/plain' }, 'POST', '/mcp', 415],
    ['headers that lie', { 'mcp-method': 'tools/list' }, 'POST', '/mcp', 400],
    ['a name that lies', { 'mcp-method': 'tools/call', 'mcp-name': 'other' }, 'POST', '/mcp', 400],
    ['headers that agree', { 'mcp-method': 'tools/call', 'mcp-name': 'good' }, 'POST', '/mcp', 200],
  ];
  it.each(cases)('%s', async (_what, headers, method, path, status) => {
    const { front, inner } = await open(fine);
    expect(await raw(front, headers, method, path)).toBe(status);
    expect(inner.seen).toHaveLength(status === 200 ? 1 : 0);
  });

  it('whoever has no token, and then the token is not for the server', async () => {
    const { front, inner } = await open(fine, { listen: { host: '127.0.0.1', port: 0, token: 'abc' } });
    expect(await raw(front, {})).toBe(401);
    expect(await raw(front, { authorization: 'Bearer abd' })).toBe(401);
    expect(await raw(front, { authorization: 'Bearer abc' })).toBe(200);
    expect(inner.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('strangers, where there is no token', async () => {
    const listen = { host: '0.0.0.0', port: 0 };
    await expect(open(fine, { listen })).rejects.toThrow(UsageError);
    await open(fine, { listen: { ...listen, token: 'x' } });
  });

  it('too much at once', async () => {
    const { front, post } = await open(() => undefined, {
      limits: { exchanges: 1, connections: 3, messageBytes: 1000, sessions: 4, closeMs: 500 },
    });
    expect((await post(JSON.stringify({ ...call(1), more: 'x'.repeat(2000) }))).status).toBe(413);
    const chunked = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.alloc(2000, ' '));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: json, body: chunked, duplex: 'half' } as RequestInit;
    expect((await fetch(front.url, init)).status).toBe(413);
    const stop = new AbortController();
    const first = fetch(front.url, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(call(1)),
      signal: stop.signal,
    });
    await expect.poll(() => front.counts().exchanges).toBe(1);
    expect((await post(call(2))).status).toBe(503);
    stop.abort();
    await expect(first).rejects.toThrow();
    await expect.poll(() => front.counts().exchanges).toBe(0);
    const sockets = Array.from({ length: 6 }, () => connect(front.port, '127.0.0.1').on('error', () => undefined));
    await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(3);
    for (const socket of sockets) socket.destroy();
  });
});
