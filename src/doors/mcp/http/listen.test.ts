import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerWishes } from '../build-server.ts';
import type { LogFields } from '../log.ts';
import { openSampleDoor } from '../sample-door.ts';
import { sampleToolset, sampleTrace } from '../sample-toolset.ts';
import type { HttpDoor, HttpWishes } from './listen.ts';
import { exchange, initialize, post, requestText } from './sample-wire.ts';

const closers: (() => Promise<void>)[] = [];

async function openDoor(http: Partial<HttpWishes> = {}, wishes: Partial<ServerWishes> = {}): Promise<HttpDoor> {
  const door = await openSampleDoor(http, wishes);
  closers.push(() => door.close());
  return door;
}

type Mode = 'legacy' | 'auto' | { readonly pin: string };

async function connectTo(door: HttpDoor, mode: Mode, token?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const options = token === undefined ? {} : { authProvider: { token: async () => token } };
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url), options));
  closers.unshift(() => client.close());
  return client;
}

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('a door over HTTP', () => {
  it.each<[string, Mode, string]>([
    ['legacy', 'legacy', 'legacy'],
    ['auto', 'auto', 'modern'],
    ['pinned', { pin: '2026-07-28' }, 'modern'],
  ])('serves a client in mode %s', async (_, mode, era) => {
    const door = await openDoor();
    const client = await connectTo(door, mode);
    expect(client.getProtocolEra()).toBe(era);
    expect((await client.listTools()).tools).toHaveLength(5);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
    expect(result.structuredContent).toEqual({ text: 'hi' });
    expect(door.counts().sessions).toBe(era === 'legacy' ? 1 : 0);
  });

  it('serves an older client that keeps no session', async () => {
    const door = await openDoor();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' });
    const answer = await exchange(door.port, (socket) => socket.write(post(body, { connection: 'close' })));
    expect(answer.status).toBe(200);
    expect(door.counts().sessions).toBe(0);
  });

  it('gives a session, knows it again, and forgets it', async () => {
    const door = await openDoor();
    const opened = await fetch(door.url, { method: 'POST', body: initialize(), headers: jsonHeaders });
    const id = opened.headers.get('mcp-session-id') ?? '';
    await opened.text();
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const headers = { ...jsonHeaders, 'mcp-session-id': id };
    expect((await fetch(door.url, { method: 'POST', body: ping, headers })).status).toBe(200);
    const strange = { ...headers, 'mcp-session-id': 'nobody-knows-this' };
    expect((await fetch(door.url, { method: 'POST', body: ping, headers: strange })).status).toBe(404);
    expect((await fetch(door.url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await fetch(door.url, { method: 'POST', body: ping, headers })).status).toBe(404);
    expect(door.counts().sessions).toBe(0);
  });

  it('lets in nobody without the token, and whoever has it while others guess', async () => {
    const lines: [string, LogFields][] = [];
    const write = (event: string, fields: LogFields = {}): void => void lines.push([event, fields]);
    const door = await openDoor({
      token: 'open-sesame',
      log: { info: write, debug: write },
      limits: { failureRate: { perSecond: 0.001, burst: 3 } },
    });
    const statuses: number[] = [];
    for (const token of ['', 'open', 'open-sesame-2', 'OPEN-SESAME', 'x']) {
      const headers = { ...jsonHeaders, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
      statuses.push((await fetch(door.url, { method: 'POST', body: ping, headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const client = await connectTo(door, 'auto', 'open-sesame');
    expect((await client.callTool({ name: 'echo', arguments: { text: 'in' } })).isError).toBeFalsy();
    expect(lines.length).toBeGreaterThan(4);
    expect(JSON.stringify(lines)).not.toContain('sesame');
  });

  it.each([
    ['another host', { host: 'evil.example' }, 403],
    ['another host with our port', { host: 'evil.example:3000' }, 403],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a page of this machine', { origin: 'http://localhost:5173' }, 200],
    ['another name of this machine', { host: 'localhost:1' }, 200],
  ])('looks at %s', async (_, headers, status) => {
    const door = await openDoor();
    const answer = await exchange(door.port, (socket) =>
      socket.write(post(initialize(), { ...headers, connection: 'close' })),
    );
    expect(answer.status).toBe(status);
  });

  it.each([
    ['/healthz', 'GET', 200],
    ['/healthz', 'POST', 405],
    ['/', 'GET', 404],
    ['/mcp/../etc/passwd', 'GET', 404],
    ['/mcp', 'OPTIONS', 405],
    ['/mcp', 'GET', 405],
  ])('answers %s to %s', async (path, method, status) => {
    const door = await openDoor();
    const answer = await exchange(door.port, (socket) =>
      socket.write(requestText(method, path, { 'content-length': '0' })),
    );
    expect(answer.status).toBe(status);
  });

  it.each(['0.0.0.0', '::'])('does not open %s to strangers', async (host) => {
    await expect(openSampleDoor({ host })).rejects.toThrow(/there is no token/);
  });

  it('ends a call when its client goes away, in either era', async () => {
    for (const mode of ['legacy', 'auto'] as const) {
      const trace = sampleTrace();
      const door = await openDoor({}, { toolsets: [sampleToolset(trace)] });
      const client = await connectTo(door, mode);
      const call = client.callTool({ name: 'wait', arguments: { ms: 30_000 } }).catch(() => null);
      await expect.poll(() => trace.started).toBe(1);
      await client.close();
      await call;
      await expect.poll(() => trace.aborted).toBe(1);
    }
  });

  it('ends a call that is cancelled, and tells its progress, in either era', async () => {
    for (const mode of ['legacy', 'auto'] as const) {
      const trace = sampleTrace();
      const door = await openDoor({}, { toolsets: [sampleToolset(trace)] });
      const client = await connectTo(door, mode);
      const stop = new AbortController();
      const phases: string[] = [];
      const onprogress = ({ message }: { message?: string | undefined }): void => void phases.push(message ?? '');
      const call = client.callTool({ name: 'wait', arguments: { ms: 30_000 } }, { signal: stop.signal, onprogress });
      await expect.poll(() => phases.length).toBeGreaterThan(0);
      stop.abort();
      await expect(call).rejects.toThrow();
      await expect.poll(() => trace.aborted).toBe(1);
      expect(phases[0]).toBe('step 0');
    }
  });

  it('serves others while one call takes long', async () => {
    const trace = sampleTrace();
    const door = await openDoor({}, { toolsets: [sampleToolset(trace)] });
    const [busy, other] = [await connectTo(door, 'auto'), await connectTo(door, 'legacy')];
    const long = busy.callTool({ name: 'wait', arguments: { ms: 1500 } });
    await expect.poll(() => trace.started).toBe(1);
    expect((await other.callTool({ name: 'echo', arguments: { text: 'quick' } })).structuredContent).toEqual({
      text: 'quick',
    });
    expect(trace.ended).toBe(0);
    expect((await long).structuredContent).toEqual({ waitedMs: 1500 });
  });

  it('ends in time with calls and streams under way', async () => {
    const trace = sampleTrace();
    const stop = new AbortController();
    const door = await openDoor({}, { toolsets: [sampleToolset(trace)], stop: stop.signal });
    const clients = [await connectTo(door, 'auto'), await connectTo(door, 'legacy')];
    const calls = clients.map((client) =>
      client.callTool({ name: 'wait', arguments: { ms: 30_000 } }).catch(() => null),
    );
    await expect.poll(() => trace.started).toBe(2);
    stop.abort();
    await door.close();
    await Promise.all(calls);
    expect(trace).toEqual({ started: 2, aborted: 2, ended: 0 });
    await expect.poll(() => door.counts()).toEqual({ sessions: 0, connections: 0 });
    await expect(fetch(door.url)).rejects.toThrow();
  });
});

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
