import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { TargetError } from '../../../base/errors.ts';
import { type BridgeOptions, type HttpBridge, openHttpBridge } from './bridge.ts';
import { waitUntilListening } from './inner.ts';
import { listenSample, type SampleInner, type Seen } from './sample-front.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

interface Opened {
  readonly inner: SampleInner;
  readonly bridge: HttpBridge;
  readonly lines: readonly string[];
  send(message: unknown): void;
}

async function open(
  answer: (seen: Seen, response: ServerResponse) => void | Promise<void>,
  more: Partial<BridgeOptions> = {},
): Promise<Opened> {
  const inner = await listenSample(answer);
  const bridge = openHttpBridge({ request: inner.request, path: '/mcp', ...more });
  const lines: string[] = [];
  createInterface(bridge.input).on('line', (line) => void lines.push(line));
  stops.push(inner.close, () => bridge.close());
  return { inner, bridge, lines, send: (message) => void bridge.output.write(`${JSON.stringify(message)}\n`) };
}

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
const welcome = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}';
const call = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } });

describe('a bridge from lines to HTTP', () => {
  it('posts lines, writes answers and events as lines, and carries the session', async () => {
    let aside: ServerResponse | null = null;
    const { inner, lines, send, bridge } = await open(({ method, body }, response) => {
      if (method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        aside = response;
        return;
      }
      if (method === 'DELETE') return void response.writeHead(200).end();
      const message = JSON.parse(body);
      if (message.method === 'initialize') {
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's7' });
        return void response.end(welcome);
      }
      if (message.id === undefined) return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0",\r\ndata: "method":"notifications/progress"}\r\n\r\n');
      response.end(`data: {"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{}}\n\n`);
    });
    send(initialize);
    await expect.poll(() => lines).toEqual([welcome]);
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await expect.poll(() => aside).not.toBeNull();
    send(call('a'));
    await expect.poll(() => lines).toHaveLength(3);
    expect(lines.slice(1).map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress' },
      { jsonrpc: '2.0', id: 'a', result: {} },
    ]);
    (aside as ServerResponse | null)?.write('data: {"jsonrpc":"2.0","id":1,"method":"roots/list"}\n\n');
    await expect.poll(() => lines.at(-1)).toContain('roots/list');
    expect(inner.seen.find(({ body }) => body.includes('"a"'))?.headers).toMatchObject({
      'mcp-session-id': 's7',
      'mcp-protocol-version': '2025-06-18',
    });
    bridge.output.end();
    await expect.poll(() => bridge.input.readableEnded).toBe(true);
    expect(inner.seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's7' } });
  });

  it('lets nothing overtake an introduction, however quickly a client speaks', async () => {
    const { inner, lines, send } = await open(({ method, body }, response) => {
      if (method !== 'POST') return void response.writeHead(405).end();
      const message = JSON.parse(body);
      const isWelcome = message.method === 'initialize';
      const answer = (): void => {
        if (message.id === undefined) return void response.writeHead(202).end();
        response.writeHead(200, {
          'content-type': 'application/json',
          ...(isWelcome ? { 'mcp-session-id': 's7' } : {}),
        });
        response.end(isWelcome ? welcome : JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} }));
      };
      setTimeout(answer, isWelcome ? 100 : 0);
    });
    send(initialize);
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    send(call('a'));
    await expect.poll(() => lines).toHaveLength(2);
    const posts = inner.seen.filter(({ method }) => method === 'POST');
    expect(posts.map(({ body, headers }) => [JSON.parse(body).method, headers['mcp-session-id']])).toEqual([
      ['initialize', undefined],
      ['notifications/initialized', 's7'],
      ['tools/call', 's7'],
    ]);
  });

  it('waits for answers after the last line', async () => {
    const { lines, send, bridge } = await open(({ body }, response) => {
      setTimeout(() => response.end(`{"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":1}`), 100);
    });
    send(call(1));
    bridge.output.end();
    await expect.poll(() => bridge.input.readableEnded).toBe(true);
    expect(lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":1}']);
  });

  it('answers for a server that does not', async () => {
    const told: string[] = [];
    const { lines, send } = await open(
      ({ body }, response) => {
        const { id } = JSON.parse(body);
        if (id === 1) response.destroy();
        else if (id === 2) response.writeHead(500).end('<html>');
        else if (id === 4) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
        else response.end(`{"jsonrpc":"2.0","id":${id},"result":1}`);
      },
      { tell: (line) => void told.push(line) },
    );
    for (const id of [1, 2, 3, 4]) send(call(id));
    await expect.poll(() => lines.length).toBe(4);
    const answers = lines.map((line) => JSON.parse(line)).toSorted((left, right) => left.id - right.id);
    expect(answers).toMatchObject([
      { id: 1, error: {} },
      { id: 2, error: {} },
      { id: 3, result: 1 },
      { id: 4, error: {} },
    ]);
    expect(told.length).toBeGreaterThanOrEqual(3);
  });

  it('speaks the older form', async () => {
    let stream: ServerResponse | null = null;
    const { inner, lines, send } = await open(
      ({ method, body }, response) => {
        if (method === 'GET') {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          stream = response;
          setTimeout(() => response.write('event: endpoint\ndata: /messages?s=1\n\n'), 50);
          return;
        }
        response.writeHead(202).end('Accepted');
        stream?.write(`data: {"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":1}\n\n`);
      },
      { path: '/sse', form: 'sse' },
    );
    send(call(1));
    await expect.poll(() => lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":1}']);
    expect(inner.seen.map(({ url }) => url)).toEqual(['/sse', '/messages?s=1']);
  });

  it('holds no more than it may', async () => {
    const told: string[] = [];
    const { send, bridge, inner } = await open(() => undefined, {
      messageBytes: 1000,
      mostPosts: 2,
      tell: (line) => void told.push(line),
    });
    for (let id = 0; id < 10; id += 1) send(call(id));
    await expect.poll(() => inner.seen.length).toBe(2);
    await bridge.close();
    await expect.poll(() => bridge.input.readableEnded).toBe(true);
  });
});

describe('waiting for a server', () => {
  it('ends when somebody listens, and says what is wrong when nobody does', async () => {
    const { request, close } = await listenSample((_seen, response) => void response.writeHead(404).end());
    await waitUntilListening({ request, port: 1, timeoutMs: 2000 });
    close();
    await expect(waitUntilListening({ request, port: 3000, timeoutMs: 150 })).rejects.toThrow(
      /nobody listens on port 3000/,
    );
    const ended = waitUntilListening({ request, port: 3000, timeoutMs: 5000, ended: Promise.resolve() });
    await expect(ended).rejects.toThrow(TargetError);
  });
});
