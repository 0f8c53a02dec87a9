import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createAuthority } from '../certificates/authority.ts';
import { httpBridge } from './bridge.ts';
import { type Got, makeTarget, readAll, readUntil, type Scheme, World, type WorldOptions } from './sample-world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const got: Got[] = [];
const answer = 'the answer';

async function open(scheme: Scheme, options: WorldOptions = {}): Promise<World> {
  got.length = 0;
  world = await World.open(
    makeTarget(scheme, got, (_, response) => response.end(answer)),
    options,
  );
  return world;
}

const paths = (): readonly string[] => got.map(({ url }) => url);

describe.each(['http', 'https'] as const)('httpBridge over %s', (scheme) => {
  it('carries requests and answers, and ends well when the box does', async () => {
    const { port, connect } = await open(scheme).then((made) => ({
      port: made.port,
      connect: () => made.connect(scheme),
    }));
    const box = await connect();
    box.write(`GET /one?x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(await readUntil(box, answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    box.write(`GET /two HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(await readUntil(box, answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    box.end();
    await readAll(box);
    expect(await world?.ended()).toBeNull();
    expect(paths()).toEqual(['/one?x', '/two']);
    expect(
      world?.requests.map(([{ method, target, paths: read, authority, isTls, host }, { is }]) => ({
        method,
        target,
        read,
        authority,
        isTls,
        host,
        is,
      })),
    ).toEqual(
      ['/one?x', '/two'].map((target) => ({
        method: 'GET',
        target,
        read: [target.replace('?x', '')],
        authority: { host: '127.0.0.1', port },
        isTls: scheme === 'https',
        host: '127.0.0.1',
        is: 'allowed',
      })),
    );
  });

  it('lets the first request through and not the second, which the judge refuses', async () => {
    const made = await open(scheme, { judge: ({ paths: read }) => (read.includes('/two') ? 'not this path' : null) });
    const box = await made.connect(scheme);
    box.write(`GET /one HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    expect(await readUntil(box, answer)).toContain('200 OK');
    box.write(`GET /x/..%2ftwo HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await readAll(box);
    box.end();
    expect(await made.ended()).toBe('refused: not this path');
    expect(paths()).toEqual(['/one']);
    expect(made.requests.map(([, outcome]) => outcome)).toEqual([
      { is: 'allowed' },
      { is: 'refused', because: 'not this path' },
    ]);
  });

  it('carries bodies with a length and in chunks, also several at once', async () => {
    const made = await open(scheme);
    const box = await made.connect(scheme);
    const head = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n';
    box.write(`POST /a ${head}Content-Length: 5\r\n\r\nhello`);
    box.write(`PUT /b ${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\nX: y\r\n\r\n`);
    box.write(`GET /c ${head}Connection: close\r\n\r\n`);
    const text = await readAll(box);
    expect(text.split(answer)).toHaveLength(4);
    box.end();
    expect(await made.ended()).toBeNull();
    expect(got.map(({ url, bodyBytes }) => [url, bodyBytes])).toEqual([
      ['/a', 5],
      ['/b', 7],
      ['/c', 0],
    ]);
  });

  it('streams a large body without holding it', async () => {
    const made = await open(scheme);
    const box = await made.connect(scheme);
    const piece = Buffer.alloc(64 * 1024, 'x');
    const count = 256;
    box.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${piece.length * count}\r\n\r\n`);
    let most = 0;
    for (let sent = 0; sent < count; sent += 1) {
      if (!box.write(piece)) await once(box, 'drain');
      most = Math.max(most, ...made.sockets.map(({ writableLength }) => writableLength));
    }
    expect(await readUntil(box, answer)).toContain('200 OK');
    expect(got.map(({ bodyBytes }) => bodyBytes)).toEqual([piece.length * count]);
    expect(most).toBeLessThan(4 * piece.length);
  });

  it('puts a header in the place of those that the box sends', async () => {
    const made = await open(scheme, { inject: { header: 'X-Api-Key', value: 'ours' } });
    const box = await made.connect(scheme);
    const own = 'x-api-key: theirs\r\nX_API_KEY: theirs\r\nX-Api-Key:\r\nX-Other: stays\r\n';
    box.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${own}Connection: close\r\n\r\n`);
    expect(await readAll(box)).toContain(answer);
    expect(got[0]?.headers).toEqual([
      ...['Host', '127.0.0.1', 'X-Other', 'stays', 'Connection', 'close', 'X-Api-Key', 'ours'],
    ]);
  });

  it.each([
    [
      'CL.TE',
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG',
    ],
    [
      'TE.CL',
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    ],
    ['a header with a line end in it', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\rX-Admin: 1\r\n\r\n'],
    ['CONNECT', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    ['Upgrade', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no HTTP', 'EHLO box\r\n'],
    ['another port', 'GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n'],
  ])('refuses %s, and nothing of it gets through', async (_, text) => {
    const made = await open(scheme);
    const box = await made.connect(scheme);
    box.write(text);
    expect(await readAll(box)).toBe('HTTP/1.1 refused\r\n\r\n');
    box.end();
    expect(await made.ended()).toMatch(/^refused: /);
    expect(got).toEqual([]);
    expect(made.requests).toEqual([]);
  });

  it('asks the judge about what headers would make of a request', async () => {
    const made = await open(scheme, { judge: ({ method }) => (method === 'DELETE' ? 'not this method' : null) });
    const box = await made.connect(scheme);
    box.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-HTTP-Method-Override: delete\r\n\r\n');
    await readAll(box);
    box.end();
    expect(await made.ended()).toBe('refused: not this method');
    expect(got).toEqual([]);
  });

  it('cuts a box that says nothing, and one that stops in the middle', async () => {
    const made = await open(scheme, { limits: { idleMs: 300 } });
    const box = await made.connect(scheme);
    box.write('GET / HTTP/1.1\r\nHost:');
    await readAll(box);
    expect(await made.ended()).toBe('idleMs');
  });

  it('does not count the time that pacing takes', async () => {
    const made = await open(scheme, {
      limits: { idleMs: 100 },
      pace: () => new Promise((resolve) => setTimeout(resolve, 400)),
    });
    const box = await made.connect(scheme);
    box.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
    expect(await readAll(box)).toContain(answer);
  });

  it('resets both when it is cut', async () => {
    const made = await open(scheme);
    const box = await made.connect(scheme);
    box.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await readUntil(box, answer);
    const broken = Promise.all([box, ...made.targets].map((socket) => once(socket.resume(), 'error')));
    made.bridged[0]?.cut('enough');
    made.bridged[0]?.cut('again');
    expect(await made.ended()).toBe('enough');
    expect((await broken).map(([{ code }]) => code)).toEqual(['ECONNRESET', 'ECONNRESET']);
    expect(made.sockets.slice(1).every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('stops at the most bytes', async () => {
    const made = await open(scheme, { limits: { connectionBytes: 20_000 } });
    const box = await made.connect(scheme);
    box.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(100_000)}`);
    await readAll(box);
    expect(await made.ended()).toBe('connectionBytes');
  });

  it('breaks the target off when the box leaves within a request', async () => {
    const made = await open(scheme);
    const box = await made.connect(scheme);
    box.end('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nhalf');
    await readAll(box);
    expect(await made.ended()).toBe('box: ended within a request');
    expect(got).toEqual([]);
  });

  it.each([
    ['judge', 'bridge: broken'],
    ['pace', 'bridge: broken'],
    ['onRequest', 'bridge: broken'],
  ])('lets nothing through when %s fails', async (name, reason) => {
    const fail = (): never => {
      throw new Error('broken');
    };
    const made = await open(scheme, { [name]: fail });
    const box = await made.connect(scheme);
    box.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await readAll(box);
    expect(await made.ended()).toBe(reason);
    expect(got).toEqual([]);
  });
});

describe('httpBridge', () => {
  it('ends well when the box leaves without a word', async () => {
    const made = await open('http');
    const box = await made.connect('http');
    box.end();
    await readAll(box);
    expect(await made.ended()).toBeNull();
  });

  it('cuts a box that never says a word', async () => {
    const made = await open('http', { limits: { idleMs: 200 } });
    await readAll(await made.connect('http'));
    expect(await made.ended()).toBe('idleMs');
  });

  it('carries what a target floods with only as fast as the box takes it', async () => {
    const flood = createServer((socket) => {
      const piece = Buffer.alloc(64 * 1024, 'y');
      const pour = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('error', () => undefined).on('drain', pour);
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        pour();
      });
    });
    world = await World.open(flood);
    const box = await world.connect('http');
    box.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    let count = 0;
    while (count < 16 * 1024 * 1024) {
      const bytes = box.read() as Buffer | null;
      if (bytes === null) await once(box, 'readable');
      else count += bytes.length;
      expect(Math.max(...world.sockets.map(({ writableLength }) => writableLength))).toBeLessThan(1024 * 1024);
    }
    box.destroy();
    expect(await world.ended()).toMatch(/^box: |^upstream: /);
  });

  it('ends the box when the target has answered and left', async () => {
    const hasty = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall'));
    });
    world = await World.open(hasty);
    const box = await world.connect('http');
    box.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    expect(await readAll(box)).toMatch(/all$/);
    box.end();
    expect(await world.ended()).toBeNull();
  });

  it('resets the box when the target resets', async () => {
    const rude = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.resetAndDestroy());
    });
    world = await World.open(rude);
    const box = await world.connect('http');
    const failed = once(box, 'error');
    box.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    box.resume();
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
    expect(await world.ended()).toBe('upstream: ECONNRESET');
  });

  it.each([
    { header: 'Host', value: 'x' },
    { header: 'Content_Length', value: '1' },
    { header: 'X Y', value: 'x' },
    { header: 'X', value: 'a\r\nY: b' },
    { header: '', value: 'x' },
  ])('does not put $header into requests', (inject) => {
    const options = { authority: createAuthority(), judge: () => null, pace: async () => undefined, inject };
    expect(() => httpBridge(options)).toThrow('malformed');
  });

  it('does not wait for a box that stays after a refusal', async () => {
    const made = await open('http', { judge: () => 'never' });
    const box = await made.connect('http');
    box.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await readAll(box);
    expect(await made.ended()).toBe('refused: never');
    expect(got).toEqual([]);
  });

  it('does not carry TRACE with a credential', async () => {
    const made = await open('http', { inject: { header: 'X', value: 'ours' } });
    const box = await made.connect('http');
    box.write('TRACE / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    expect(await readAll(box)).toMatch(/ refused\r\n\r\n$/);
    box.end();
    expect(await made.ended()).toBe('refused: TRACE with a credential');
  });
});
