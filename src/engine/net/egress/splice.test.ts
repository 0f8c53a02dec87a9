import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { splice } from './splice.ts';

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** Both ends of a connection on loopback. */
async function pair(): Promise<readonly [Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const near = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
  const [far] = (await once(server, 'connection')) as [Socket];
  if (near.connecting) await once(near, 'connect');
  server.close();
  for (const socket of [near, far]) opened.push(socket.on('error', () => undefined));
  return [near, far];
}

async function setUp(limits: { connectionBytes?: number; idleMs?: number } = {}) {
  const [client, box] = await pair();
  const [upstream, server] = await pair();
  const spliced = splice(box, upstream, { connectionBytes: Number.POSITIVE_INFINITY, idleMs: 60_000, ...limits });
  return { client, box, upstream, server, spliced };
}

describe('splice', () => {
  it('ends well when both sides end, each in its own time', async () => {
    const { client, server, spliced } = await setUp();
    spliced.openUpstream();
    client.end('question');
    expect(String(await once(server, 'data'))).toBe('question');
    server.end('answer');
    expect(String(await once(client, 'data'))).toBe('answer');
    expect(await spliced.ended).toBeNull();
  });

  it('lets upstream speak, and nothing of the box through before it is opened', async () => {
    const { client, server, box, spliced } = await setUp();
    client.write('held');
    server.write('welcome');
    expect(String(await once(client, 'data'))).toBe('welcome');
    while (box.bytesRead < 4) await turn();
    expect(server.bytesRead).toBe(0);
    spliced.openUpstream();
    expect(String(await once(server, 'data'))).toBe('held');
  });

  it.each(['client', 'server'] as const)('resets the other side when the %s is reset', async (who) => {
    const made = await setUp();
    made.spliced.openUpstream();
    const other = who === 'client' ? made.server : made.client;
    const failed = once(other.resume(), 'error');
    made[who].resetAndDestroy();
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
    expect(await made.spliced.ended).toBe(`${who === 'client' ? 'box' : 'upstream'}: ECONNRESET`);
  });

  it('stops at the most bytes', async () => {
    const { client, spliced } = await setUp({ connectionBytes: 1000 });
    spliced.openUpstream();
    client.write(Buffer.alloc(2000));
    expect(await spliced.ended).toBe('connectionBytes');
  });

  /** The box has left in peace, and the server never takes what is still to come. */
  async function leaveUnread(made: Awaited<ReturnType<typeof setUp>>): Promise<void> {
    made.spliced.openUpstream();
    made.server.pause().end();
    made.client.resume();
    const piece = Buffer.alloc(16_000);
    for (let count = 0; made.upstream.writableLength === 0 && count < 100_000; count += 1) {
      if (!made.client.write(piece)) await once(made.client, 'drain');
      await turn();
    }
    made.client.end();
  }

  it('can be cut when only one side is left', async () => {
    const made = await setUp();
    await leaveUnread(made);
    for (let count = 0; count < 50; count += 1) await turn();
    made.spliced.cut('enough');
    expect(await made.spliced.ended).toBe('enough');
    expect(made.upstream.destroyed).toBe(true);
  });

  it('resets a side that is being shut down but still has bytes that nobody takes', async () => {
    const { client, box, server, spliced } = await setUp();
    spliced.openUpstream();
    client.pause();
    const piece = Buffer.alloc(16_000);
    for (let count = 0; box.writableLength === 0 && count < 100_000; count += 1) {
      if (!server.write(piece)) await once(server, 'drain');
      await turn();
    }
    server.end();
    while (!box.writableEnded) await turn();
    expect(box.writableFinished).toBe(false);
    spliced.cut('enough');
    expect(await spliced.ended).toBe('enough');
    // Bytes are missing, so it must not look as if it had ended well.
    const failed = once(client, 'error');
    client.resume();
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
  });

  it('loses no side that is being shut down at that very moment', async () => {
    const { client, upstream, server, spliced } = await setUp();
    spliced.openUpstream();
    // The box's side has been told to shut down by then, and the kernel has not yet been asked.
    upstream.once('end', () => process.nextTick(() => process.nextTick(() => spliced.cut('enough'))));
    const failed = once(client, 'error');
    client.write('question');
    server.end();
    client.resume();
    expect(await spliced.ended).toBe('enough');
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
  });

  it('does not wait for ever for the side that is left', async () => {
    const made = await setUp({ idleMs: 200 });
    await leaveUnread(made);
    expect(await made.spliced.ended).toBe('idleMs');
  });
});
