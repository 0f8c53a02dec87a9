import { once } from 'node:events';
import { connect, createServer, type Server, Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateMaker, createAuthority } from '../certificates/authority.ts';
import { reset } from './reset.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

const certificate = new CertificateMaker(createAuthority()).optionsFor(['127.0.0.1'], false);

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Gives the stream that hears what becomes of the other side. */
type Prepare = (socket: Socket, peer: Socket) => Promise<Socket> | Socket;

const quiet = <S extends Socket>(socket: S): S => socket.on('error', () => undefined);

/** What is heard of it; the socket's own close is waited for as well. */
async function hearReset(prepare: Prepare): Promise<string> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  opened.push(server);
  await once(server, 'listening');
  const socket = quiet(connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true }));
  const [peer] = (await once(server, 'connection')) as [Socket];
  opened.push({ close: () => quiet(peer).destroy() });
  if (socket.connecting) await once(socket, 'connect');
  const hearing = await prepare(socket, peer);
  const heard = new Promise<string>((resolve) => {
    hearing.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'failed'));
    hearing.once('close', () => resolve('closed'));
  });
  const closed = once(socket, 'close');
  reset(socket);
  reset(socket);
  await closed;
  reset(socket);
  hearing.resume();
  return heard;
}

/** Both sides, when hands are shaken. */
async function shakeHands(client: Socket, server: Socket): Promise<readonly [client: TLSSocket, server: TLSSocket]> {
  const shaking = createTlsServer({ ...certificate });
  const made = once(shaking, 'secureConnection');
  shaking.emit('connection', server);
  const secure = quiet(connectTls({ socket: client, rejectUnauthorized: false }));
  const [inner] = (await made) as [TLSSocket];
  return [secure, quiet(inner)];
}

describe('reset', () => {
  it.each<[string, Prepare]>([
    ['an open socket', (_, peer) => peer],
    [
      'one whose peer is done',
      async (socket, peer) => {
        peer.end();
        await once(socket.resume(), 'end');
        return peer;
      },
    ],
    [
      'one that has just been told to shut down',
      (socket, peer) => {
        socket.end('last words');
        return peer;
      },
    ],
    [
      'one with bytes that nobody takes',
      (socket, peer) => {
        for (let count = 0; count < 1000 && socket.write(Buffer.alloc(64 * 1024)); count += 1);
        socket.end();
        return peer;
      },
    ],
    [
      'one that carries TLS as a client and is about to end',
      async (socket, peer) => {
        // What hears it is no TLS: on the wire there is a reset, and no word of TLS that all is well.
        const target = createTlsServer({ ...certificate }, quiet).listen(0, '127.0.0.1');
        opened.push(target);
        await once(target, 'listening');
        const beyond = quiet(connect(portOf(target), '127.0.0.1'));
        opened.push({ close: () => beyond.destroy() });
        peer.pipe(beyond).pipe(peer);
        const client = quiet(connectTls({ socket, rejectUnauthorized: false }));
        await once(client, 'secureConnect');
        client.end('bye');
        return peer;
      },
    ],
    [
      'one that carries TLS as a server',
      async (socket, peer) => {
        const [client, server] = await shakeHands(peer, socket);
        server.write('hello');
        return client;
      },
    ],
    [
      'one in the middle of a handshake',
      (socket, peer) => {
        quiet(connectTls({ socket, rejectUnauthorized: false }));
        return peer;
      },
    ],
  ])('breaks %s, as often as it is called', async (_, prepare) => {
    expect(await hearReset(prepare)).toBe('ECONNRESET');
  });

  it('closes what is not connected', async () => {
    const never = new Socket();
    reset(never);
    expect(never.destroyed).toBe(true);
    const server = createServer().listen(0, '127.0.0.1');
    opened.push(server);
    await once(server, 'listening');
    const connecting = connect(portOf(server), '127.0.0.1');
    const closed = once(connecting, 'close');
    reset(connecting);
    await closed;
  });
});
