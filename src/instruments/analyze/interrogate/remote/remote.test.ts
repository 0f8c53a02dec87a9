import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { TargetError, UsageError } from '../../../../base/errors.ts';
import { makeRequest } from '../../../../targets/conversation/index.ts';
import { runHttpChecks } from '../http-checks/index.ts';
import { type Habits, startSampleServer } from '../http-checks/sample-http-server.ts';
import { callableTools, looksReadOnly, openRemote, readRemoteHeaders, readRemoteUrl, remoteSteps } from './index.ts';
import { politely, sameOriginPath } from './polite-request.ts';

const identity = { name: 'cursor', version: '1.0.0' };
const quick = { identity, gapMs: 0, discoverMs: 800 } as const;
const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

async function sample(habits: Habits = {}) {
  const server = await startSampleServer(habits);
  running.push(server.close);
  return server;
}

async function listen(take: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const server = createServer(take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

describe('an address', () => {
  it.each([
    '',
    'mcp.example',
    'ftp://mcp.example/',
    'file:///etc/passwd',
    'javascript:1',
    'http://',
    'https://me:pw@mcp.example/',
  ])('%j is refused', (text) => {
    expect(() => readRemoteUrl(text)).toThrow(UsageError);
  });

  it('keeps its query and loses its fragment', () => {
    expect(readRemoteUrl('https://mcp.example/a?key=1#x').href).toBe('https://mcp.example/a?key=1');
  });

  it('of any kind is an address or a mistake of the user', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `http://${text}`),
        ),
        (text) => {
          try {
            expect(readRemoteUrl(text).protocol).toMatch(/^https?:$/);
          } catch (error) {
            expect(error).toBeInstanceOf(UsageError);
          }
        },
      ),
    );
  });
});

describe('headers of the user', () => {
  it.each([
    { 'bad name': 'x' },
    { 'x\r\ny': 'x' },
    { Host: 'other.example' },
    { 'Content-Length': '3' },
    { 'Transfer-Encoding': 'chunked' },
    { authorization: 'a\r\nx-more: b' },
    { '': 'x' },
  ])('%j are refused', (headers) => {
    expect(() => readRemoteHeaders(headers)).toThrow(UsageError);
  });

  it('are never repeated in a message', () => {
    expect(() => readRemoteHeaders({ authorization: 'Bearer hunter2\n' })).toThrow(/^(?!.*hunter2)/);
    expect(readRemoteHeaders({ Authorization: 'Bearer x' })).toEqual({ authorization: 'Bearer x' });
  });
});

describe('a redirect', () => {
  const url = new URL('https://mcp.example:8443/mcp');
  it.each([
    ['/mcp/', '/mcp/'],
    ['https://mcp.example:8443/x?y=1', '/x?y=1'],
    ['https://mcp.example/x', null],
    ['http://mcp.example:8443/x', null],
    ['https://evil.example:8443/x', null],
    ['//evil.example/x', null],
    ['https://mcp.example:8443@evil.example/', null],
    ['\\\\evil.example/x', null],
  ])('to %s is followed to %s', (location, path) => {
    expect(sameOriginPath(location, '/mcp', url)).toBe(path);
  });

  it('never leads to another origin', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (location, from) => {
        const path = sameOriginPath(location, `/${from}`, url);
        if (path !== null) expect(new URL(`${url.origin}${path}`).origin).toBe(url.origin);
      }),
    );
  });

  it('on the same server is followed, with the headers', async () => {
    const front = await listen((request, response) => {
      if (request.url === '/old') response.writeHead(308, { location: '/mcp' }).end();
      else if (request.headers.authorization === 'Bearer secret-of-the-user') response.writeHead(299).end();
      else response.writeHead(401).end();
    });
    const request = makeRequest({ url: front, headers: { authorization: 'Bearer secret-of-the-user' } });
    const polite = politely(request, front, { gapMs: 0, requests: 10 });
    const asked = { method: 'POST', path: '/old', headers: {}, body: '{}' };
    expect((await polite(asked)).status).toBe(299);
  });

  it('to another server is not followed, and is told', async () => {
    const other = await sample({});
    const front = await listen(
      (_, response) => void response.writeHead(307, { location: `${other.url.href}mcp` }).end(),
    );
    await expect(openRemote(new URL('/mcp', front), { authorization: 'Bearer x' }, quick)).rejects.toThrow(
      /sends us to http:\/\/127\.0\.0\.1:\d+\/mcp, where your headers do not go/,
    );
    expect(other.requests()).toBe(0);
  });

  it('in a circle ends', async () => {
    let count = 0;
    const front = await listen((_, response) => {
      count += 1;
      response.writeHead(307, { location: `/${count}` }).end();
    });
    await expect(openRemote(new URL('/mcp', front), {}, quick)).rejects.toThrow(TargetError);
    expect(count).toBeLessThan(40);
  });
});

describe('a remote server', () => {
  it('is found on a usual path, asked, and left', async () => {
    const server = await sample({});
    await using remote = await openRemote(server.url, {}, quick);
    expect(remote.endpoint).toEqual({ path: '/mcp', form: 'streamable', needsAuthorisation: false });
    await remote.conversation.handshake();
    const { tools } = await remote.conversation.list();
    expect(tools.map(({ name }) => name)).toEqual(['list_todo']);
    const report = await runHttpChecks(remote.httpTarget, { limits: { gapMs: 0, perAnswerMs: 800 } });
    expect(report.findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
      'weakness/http-no-authentication info',
    ]);
    // Without the word of the user nothing is called.
    expect(server.calls()).toBe(0);
  });

  it('that wants a credential is asked with it, and checked without', async () => {
    const server = await sample({ token: 'secret-of-the-user' });
    await expect(openRemote(server.url, {}, quick)).rejects.toThrow(/wants a credential/);
    await using remote = await openRemote(server.url, { Authorization: 'Bearer secret-of-the-user' }, quick);
    await remote.conversation.handshake();
    expect((await remote.conversation.list()).tools.length).toBe(1);
    const report = await runHttpChecks(remote.httpTarget, { limits: { gapMs: 0, perAnswerMs: 800 } });
    expect(report.findings).toEqual([]);
    expect(JSON.stringify(report)).not.toContain('secret-of-the-user');
  });

  it("that is none is told as the target's fault", async () => {
    const nothing = await listen((_, response) => void response.writeHead(404).end('no'));
    await expect(openRemote(nothing, {}, quick)).rejects.toThrow(TargetError);
    await expect(openRemote('http://127.0.0.1:1/mcp', {}, quick)).rejects.toThrow(TargetError);
  });

  it('is not asked more often than agreed', async () => {
    const server = await sample({});
    await expect(openRemote(server.url, {}, { ...quick, requests: 0 })).rejects.toThrow(TargetError);
    expect(server.requests()).toBe(0);
  });
});

describe('consent', () => {
  const allowed = (consent: object) => remoteSteps(consent).flatMap(({ id, isAllowed }) => (isAllowed ? [id] : []));
  it('is small unless it is given', () => {
    expect(allowed({})).toEqual(['handshake', 'list', 'http-checks']);
    expect(allowed({ honestCalls: true })).toEqual(['handshake', 'list', 'http-checks', 'honest-calls']);
    expect(allowed({ intrusive: true })).toEqual(['handshake', 'list', 'http-checks', 'honest-calls', 'trials']);
  });

  it.each([
    ['get_weather', {}, true],
    ['listFiles', {}, true],
    ['search', {}, true],
    ['weather', {}, false],
    ['weather', { readOnlyHint: true }, true],
    ['get_and_delete', {}, false],
    ['get_order', {}, false],
    ['delete_note', { readOnlyHint: true }, false],
    ['get_weather', { readOnlyHint: false }, false],
    ['read', { destructiveHint: true }, false],
    ['forget', {}, false],
  ])('for %s with %j: %s', (name, annotations, expected) => {
    expect(looksReadOnly({ name, annotations })).toBe(expected);
    const tool = { name, annotations, inputSchema: {} };
    expect(callableTools([tool], {})).toEqual([]);
    expect(callableTools([tool], { honestCalls: true })).toEqual(expected ? [tool] : []);
    expect(callableTools([tool], { intrusive: true })).toEqual([tool]);
  });
});
