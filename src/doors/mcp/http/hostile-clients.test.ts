import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { mebibyte } from '../../../base/limits.ts';
import type { ServerWishes } from '../build-server.ts';
import { openSampleDoor } from '../sample-door.ts';
import { sampleToolset, sampleTrace } from '../sample-toolset.ts';
import type { HttpLimits } from './limits.ts';
import type { HttpDoor } from './listen.ts';
import { exchange, initialize, post, requestText } from './sample-wire.ts';

/** Clients that are broken, greedy or ill-meaning: the right error, and nothing left behind. */

const doors: HttpDoor[] = [];

async function openDoor(limits: Partial<HttpLimits> = {}, wishes: Partial<ServerWishes> = {}): Promise<HttpDoor> {
  const door = await openSampleDoor({ limits }, wishes);
  doors.push(door);
  return door;
}

afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
});

function call(name: string, input: object, id = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } });
}

async function isAlive(door: HttpDoor): Promise<boolean> {
  const answer = await exchange(door.port, (socket) =>
    socket.write(post(call('echo', { text: 'a' }), { connection: 'close' })),
  );
  return answer.status === 200 && answer.body.includes('structuredContent');
}

describe('what is not a request', () => {
  it.each<[string, string, number]>([
    ['half of a document', post('{"jsonrpc":"2.0",'), 400],
    ['nothing', post(''), 400],
    ['no message', post('{"a":1}'), 400],
    ['a number', post('1'), 400],
    ['an empty batch', post('[]'), 400],
    [
      'a batch without end',
      post(JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))),
      400,
    ],
    ['a form', post('a=1', { 'content-type': 'application/x-www-form-urlencoded' }), 415],
    ['text', post('{}', { 'content-type': 'text/plain' }), 415],
    ['no content type', requestText('POST', '/mcp', { 'content-length': '2' }, '{}'), 415],
    ['a client that takes no answer', post(initialize(), { accept: 'text/html' }), 406],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['two lengths', requestText('POST', '/mcp', { 'content-length': '2', 'Content-Length': '3' }, '{}'), 400],
    ['a header of 1 MB', requestText('GET', '/healthz', { x: 'a'.repeat(mebibyte) }), 431],
    [
      'deep nesting',
      post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
      400,
    ],
  ])('refuses %s', async (_, text, status) => {
    const door = await openDoor();
    const answer = await exchange(door.port, (socket) => socket.write(text));
    expect(answer.status).toBe(status);
    expect(await isAlive(door)).toBe(true);
  });

  it('answers whatever bytes come', async () => {
    const door = await openDoor();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (body) => {
        const answer = await exchange(door.port, (socket) => socket.write(post(body, { connection: 'close' })));
        expect([200, 202, 400]).toContain(answer.status);
      }),
      { numRuns: 60 },
    );
    expect(await isAlive(door)).toBe(true);
  });
});

describe('too much', () => {
  it('does not read a body that says it is too large', async () => {
    const door = await openDoor();
    const head = post('', { 'content-length': String(100 * mebibyte) });
    const answer = await exchange(door.port, (socket) => socket.write(head));
    expect(answer.status).toBe(413);
    expect(answer.head).toContain('connection: close');
  });

  it('stops reading a body that does not say how large it is', async () => {
    const door = await openDoor();
    const before = process.memoryUsage().rss;
    let sent = 0;
    const answer = await exchange(door.port, (socket) => {
      socket.write(requestText('POST', '/mcp', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }));
      const chunk = Buffer.alloc(64 * 1024, 0x20);
      const more = (): void => {
        while (sent < 100 * mebibyte && !socket.destroyed) {
          sent += chunk.length;
          if (!socket.write(Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]))) {
            socket.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    expect([413, 0]).toContain(answer.status);
    expect(sent).toBeLessThan(50 * mebibyte);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * mebibyte);
    expect(await isAlive(door)).toBe(true);
  });

  it('lets go of whoever sends headers one by one', async () => {
    const door = await openDoor({ headersMs: 500, requestMs: 1000 });
    const sockets: Socket[] = Array.from({ length: 20 }, () => {
      const socket = connect(door.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write('POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n');
      return socket;
    });
    const drip = setInterval(() => {
      for (const socket of sockets) socket.write('x-a: b\r\n');
    }, 100);
    await expect.poll(() => door.counts().connections).toBe(20);
    await expect.poll(() => door.counts().connections).toBe(0);
    clearInterval(drip);
    expect(await isAlive(door)).toBe(true);
  });

  it('lets go of whoever sends a body one byte at a time', async () => {
    const door = await openDoor({ headersMs: 500, requestMs: 1000 });
    const answer = await exchange(door.port, (socket) => socket.write(post('', { 'content-length': '100' })));
    expect([408, 400, 0]).toContain(answer.status);
    await expect.poll(() => door.counts().connections).toBe(0);
  });

  it('takes no more connections of one client than it may have', async () => {
    const door = await openDoor({ connections: { inAll: 100, each: 5 } });
    const sockets = Array.from({ length: 30 }, () => connect(door.port, '127.0.0.1').on('error', () => {}));
    await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(25);
    expect(door.counts().connections).toBe(5);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => door.counts().connections).toBe(0);
    expect(await isAlive(door)).toBe(true);
  });

  it('tells a client that comes too often', async () => {
    const door = await openDoor({ rate: { perSecond: 0.001, burst: 3 } });
    const statuses: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const answer = await exchange(door.port, (socket) =>
        socket.write(post(call('echo', { text: 'a' }), { connection: 'close' })),
      );
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('keeps as many sessions of one client as it may have, the newest', async () => {
    const door = await openDoor({ sessions: { inAll: 10, each: 3 } });
    const ids: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const answer = await fetch(door.url, { method: 'POST', body: initialize(), headers: jsonHeaders });
      await answer.text();
      ids.push(answer.headers.get('mcp-session-id') ?? '');
    }
    expect(door.counts().sessions).toBe(3);
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const statuses = await Promise.all(
      ids.map(async (id) => {
        const headers = { ...jsonHeaders, 'mcp-session-id': id };
        const answer = await fetch(door.url, { method: 'POST', body: ping, headers });
        await answer.text();
        return answer.status;
      }),
    );
    expect(statuses).toEqual([404, 404, 404, 200, 200, 200]);
  });

  it('lets go of a client that does not read', async () => {
    const door = await openDoor({ stalledMs: 500 });
    const text = 'a'.repeat(100_000);
    const sockets = Array.from({ length: 4 }, () => {
      const socket = connect(door.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      // As many calls as fit: answers pile up until neither side has room.
      for (let id = 0; id < 60; id += 1) socket.write(post(call('echo', { text }, id)));
      return socket;
    });
    await expect.poll(() => door.counts().connections).toBe(4);
    await expect.poll(() => door.counts().connections).toBe(0);
    for (const socket of sockets) socket.destroy();
    expect(await isAlive(door)).toBe(true);
  });

  it('ends calls of clients that vanish', async () => {
    const trace = sampleTrace();
    const door = await openDoor({}, { toolsets: [sampleToolset(trace)] });
    const sockets = Array.from({ length: 20 }, (_, id) => {
      const socket = connect(door.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(post(call('wait', { ms: 30_000 }, id)));
      return socket;
    });
    await expect.poll(() => trace.started).toBe(8);
    for (const socket of sockets) socket.resetAndDestroy();
    // While the first ones go, one that waited may begin; it has to end like the others.
    await expect.poll(() => trace.aborted === trace.started).toBe(true);
    await sleep(100);
    expect(trace).toMatchObject({ ended: 0 });
    await expect.poll(() => door.counts().connections).toBe(0);
  });
});

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
