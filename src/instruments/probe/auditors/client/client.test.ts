import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateMaker, createAuthority } from '../../../../engine/net/certificates/authority.ts';
import type { AuditInput } from '../contract.ts';
import { PinnedClient } from './client.ts';
import { clientLimits } from './limits.ts';
import { sampleInput } from './sample-input.ts';
import { headerOf, headersOf } from './show.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function listen(server: Server | ReturnType<typeof createPlainServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

function clientFor(url: string, more: Partial<AuditInput> = {}): PinnedClient {
  const client = new PinnedClient(sampleInput(url, more));
  open.push(() => client.close());
  return client;
}

async function served(
  listener: RequestListener,
  more: Partial<AuditInput> = {},
): Promise<{ url: string; client: PinnedClient }> {
  const url = `http://api.example.test:${await listen(createServer(listener))}/`;
  return { url, client: clientFor(url, more) };
}

/** Answers every connection with bytes, as they are. */
async function servedBytes(answer: (socket: Socket) => void): Promise<{ url: string; client: PinnedClient }> {
  const server = createPlainServer((socket) => socket.once('data', () => answer(socket)));
  const url = `http://127.0.0.1:${await listen(server)}/`;
  return { url, client: clientFor(url) };
}

describe('the client', () => {
  it('goes to the pinned address with the host of the URL, and keeps the connection', async () => {
    const seen: string[] = [];
    const { url, client } = await served(({ headers, socket }, response) => {
      seen.push(`${headers.host} ${socket.remotePort}`);
      response.setHeader('x-a', ['1', '2']).end('body');
    });
    const answer = await client.send({ url });
    await client.send({ url });
    expect(answer).toMatchObject({ status: 200, httpVersion: '1.1', isCut: false });
    expect(answer.body.toString()).toBe('body');
    expect(headersOf(answer, 'x-a')).toEqual(['1', '2']);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toContain(new URL(url).host);
    expect(client.sent).toBe(2);
  });

  it('names the host in TLS and takes any certificate', async () => {
    const maker = new CertificateMaker(createAuthority());
    const server = createSecureServer(maker.optionsFor(['other.example.test'], false), ({ socket }, response) => {
      response.end(String((socket as TLSSocket).servername));
    });
    const url = `https://api.example.test:${await listen(server)}/`;
    expect((await clientFor(url).send({ url })).body.toString()).toBe('api.example.test');
  });

  it('brings the credential unless told otherwise; headers of the request come first', async () => {
    const { url, client } = await served(
      ({ headers }, response) => response.end(`${headers['x-key']} ${headers.host}`),
      {
        credential: { name: 'k', header: 'X-Key', value: 'abc' },
      },
    );
    const bodyOf = async (more: object): Promise<string> => (await client.send({ url, ...more })).body.toString();
    expect(await bodyOf({})).toMatch(/^abc api/);
    expect(await bodyOf({ isAuthenticated: false })).toMatch(/^undefined api/);
    expect(await bodyOf({ headers: { 'x-KEY': 'mine', Host: 'evil.test' } })).toBe('mine evil.test');
  });

  it('sends bodies and odd methods, and reads what has no body', async () => {
    const { url, client } = await served((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => response.end(`${request.method} ${body} ${request.headers['content-length']}`));
    });
    expect((await client.send({ url, method: 'PURGE' })).body.toString()).toBe('PURGE  undefined');
    expect((await client.send({ url, method: 'POST', body: 'äb' })).body.toString()).toBe('POST äb 3');
    expect(await client.send({ url, method: 'HEAD' })).toMatchObject({ status: 200, isCut: false });
  });

  it('follows no redirect', async () => {
    let count = 0;
    const { url, client } = await served((_, response) => {
      count += 1;
      response.writeHead(302, { location: '/' }).end();
    });
    expect(headerOf(await client.send({ url }), 'location')).toBe('/');
    expect(count).toBe(1);
  });

  it.each([
    ['another host', { url: 'http://127.0.0.1:1/' }],
    ['a method that is no word', { method: 'GET /x' }],
    ['a line end in a header', { headers: { 'x-a': 'b\r\nc: d' } }],
    ['a line end in the name of a header', { headers: { 'x\r\n': 'b' } }],
    ['a body that is too long', { method: 'POST', body: 'x'.repeat(clientLimits.sentBytes + 1) }],
  ])('refuses %s and sends nothing', async (_, more) => {
    let count = 0;
    const { url, client } = await served((_request, response) => {
      count += 1;
      response.end();
    });
    await expect(client.send({ url, ...more })).rejects.toMatchObject({ name: 'AuditFailure', kind: 'not-allowed' });
    expect(count).toBe(0);
  });

  it('has no more under way than the pace allows', async () => {
    let now = 0;
    let most = 0;
    const { url, client } = await served(
      (_, response) => {
        now += 1;
        most = Math.max(most, now);
        setTimeout(() => {
          now -= 1;
          response.end();
        }, 5);
      },
      { pace: { requestsPerSecond: 100_000, connections: 2 } },
    );
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.send({ url })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(12);
    expect(most).toBe(2);
  });

  it('ends after so many requests, those without an answer included', async () => {
    const port = await listen(createServer());
    open.splice(0)[0]?.();
    const url = `http://127.0.0.1:${port}/`;
    const client = new PinnedClient(sampleInput(url), 3);
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(client.send({ url })).rejects.toMatchObject({ kind: 'no-connection' });
    }
    await expect(client.send({ url })).rejects.toMatchObject({ kind: 'too-many' });
    client.close();
  });
});

const packed = Buffer.from('{"hello":"world"}');
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

describe('what is packed', () => {
  it.each([
    ['gzip', gzipSync(packed)],
    ['x-gzip', gzipSync(packed)],
    ['deflate', deflateSync(packed)],
    ['deflate', deflateRawSync(packed)],
    ['br', brotliCompressSync(packed)],
    ['gzip, br', brotliCompressSync(gzipSync(packed))],
    ['Identity', packed],
    ['constructor', packed],
  ])('%s', async (encoding, body) => {
    const { url, client } = await served((_, response) => response.setHeader('content-encoding', encoding).end(body));
    expect(await client.send({ url })).toMatchObject({ body: packed, isCut: false });
  });

  it.each([
    ['a bomb', bomb, clientLimits.bodyBytes],
    ['a bomb in a bomb', gzipSync(bomb), 0],
    ['garbage', Buffer.from('not packed at all'), 0],
    ['half of it', gzipSync(Buffer.alloc(100)).subarray(0, 15), null],
  ])('%s is cut', async (name, body, length) => {
    const encoding = name === 'a bomb in a bomb' ? 'gzip, gzip, gzip' : 'gzip';
    const { url, client } = await served((_, response) => response.setHeader('content-encoding', encoding).end(body));
    const answer = await client.send({ url });
    expect(answer.body.length).toBeLessThanOrEqual(length ?? 100);
    if (length !== null) expect(answer.isCut).toBe(true);
  });
});

const head = 'HTTP/1.1 200 OK\r\n';

describe('a server that misbehaves', () => {
  it.each<readonly [string, string, (socket: Socket) => void]>([
    ['says nothing', 'timeout', () => undefined],
    ['hangs up', 'closed', (socket) => socket.end()],
    ['does not speak HTTP', 'garbage', (socket) => socket.end('SSH-2.0-OpenSSH_9\r\n')],
    ['has a status that is none', 'garbage', (socket) => socket.end('HTTP/1.1 abc OK\r\n\r\n')],
    [
      'sends too long a header',
      'garbage',
      (socket) => socket.end(`${head}x: ${'y'.repeat(clientLimits.headerBytes)}\r\n\r\n`),
    ],
    ['sends headers without end', 'garbage', (socket) => socket.write(`${head}${'x: y\r\n'.repeat(20_000)}`)],
    ['has two lengths', 'garbage', (socket) => socket.end(`${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`)],
    [
      'answers for ever that it will answer',
      'timeout',
      (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)),
    ],
  ])('%s', async (_, kind, answer) => {
    const { url, client } = await servedBytes(answer);
    await expect(client.send({ url, timeoutMs: 300 })).rejects.toMatchObject({ kind });
  });

  it.each<readonly [string, (socket: Socket) => void, number]>([
    ['floods', (socket) => flood(socket), clientLimits.bodyBytes],
    ['trickles', (socket) => socket.write(`${head}content-length: 1000\r\n\r\nabc`), 3],
    ['hangs up in the middle', (socket) => socket.end(`${head}content-length: 1000\r\n\r\nabc`), 3],
    ['sends broken chunks', (socket) => brokenChunks(socket), 3],
  ])('%s: what came is kept', async (_, answer, length) => {
    const { url, client } = await servedBytes(answer);
    const { status, isCut, body } = await client.send({ url, timeoutMs: 500 });
    expect({ status, isCut, length: body.length }).toEqual({ status: 200, isCut: true, length });
  });

  it('changes the protocol', async () => {
    const { url, client } = await servedBytes((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
    });
    expect((await client.send({ url, headers: { upgrade: 'x', connection: 'upgrade' } })).status).toBe(101);
  });

  it('gives up its connection between two requests', async () => {
    const { url, client } = await servedBytes((socket) => {
      socket.write(`${head}content-length: 2\r\n\r\nok`);
      socket.once('data', () => socket.destroy());
    });
    expect((await client.send({ url })).status).toBe(200);
    expect((await client.send({ url })).status).toBe(200);
  });

  it('speaks no TLS where it should', async () => {
    const { url } = await servedBytes((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const secure = url.replace('http:', 'https:');
    await expect(clientFor(secure).send({ url: secure })).rejects.toMatchObject({ kind: 'tls' });
  });
});

function brokenChunks(socket: Socket): void {
  socket.write(`${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`);
  setTimeout(() => socket.end('zz\r\n'), 50);
}

function flood(socket: Socket): void {
  socket.write(`${head}\r\n`);
  const part = Buffer.alloc(64 * 1024);
  const more = (): void => {
    while (!socket.destroyed && socket.write(part));
    socket.once('drain', more);
  };
  more();
}
