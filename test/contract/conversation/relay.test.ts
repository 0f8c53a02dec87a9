import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openRelay, type Relay } from '../../../src/targets/conversation/index.ts';

/** The relay by itself, into the network that we are in: what it carries, and when it ends. */

const stops: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function open(onConnection: (socket: Socket) => void): Promise<Relay> {
  const server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const relay = openRelay({ network: '/proc/self/ns/net', port, mostConnections: 2 });
  stops.push(
    () => relay.close(),
    () => void server.close(),
  );
  return relay;
}

describe.skipIf(process.getuid?.() !== 0)('a relay', () => {
  it('carries many bytes both ways at once', async () => {
    const relay = await open((socket) => socket.pipe(socket));
    const socket = relay.connect();
    const sent = Buffer.alloc(8 * 1024 * 1024, 'relay');
    let got = 0;
    const done = new Promise<void>((resolve) =>
      socket.on('data', (chunk: Buffer) => {
        got += chunk.length;
        if (got === sent.length) resolve();
      }),
    );
    socket.write(sent);
    await done;
    expect(got).toBe(sent.length);
  });

  it('ends with the server, and keeps its last words', async () => {
    const relay = await open((socket) => socket.end('bye'));
    const words = await Array.fromAsync(relay.connect());
    expect(Buffer.concat(words as Buffer[]).toString()).toBe('bye');
  });

  it('keeps them for somebody who reads them when it has ended already', async () => {
    const relay = await open((socket) => socket.end('bye'));
    const socket = relay.connect();
    await delay(500);
    expect(Buffer.concat((await Array.fromAsync(socket)) as Buffer[]).toString()).toBe('bye');
  });

  it('tells the server of the end of input', async () => {
    const relay = await open((socket) => socket.on('end', () => socket.end('heard')).resume());
    const socket = relay.connect();
    socket.end('all');
    expect(Buffer.concat((await Array.fromAsync(socket)) as Buffer[]).toString()).toBe('heard');
  });

  it('is refused where nobody listens', async () => {
    const relay = openRelay({ network: '/proc/self/ns/net', port: 1 });
    await expect(relay.request({ method: 'GET', path: '/', headers: {}, body: '' })).rejects.toThrow();
    await relay.close();
  });

  it('is refused where there is no such network', async () => {
    const relay = openRelay({ network: '/nonexistent', port: 1 });
    await expect(relay.request({ method: 'GET', path: '/', headers: {}, body: '' })).rejects.toThrow();
    await relay.close();
  });

  it('has so many connections at a time, and none after its end', async () => {
    const relay = await open(() => undefined);
    relay.connect();
    relay.connect();
    expect(() => relay.connect()).toThrow(/more than 2/);
    await relay.close();
    relay.connect();
    await relay.close();
  });
});
