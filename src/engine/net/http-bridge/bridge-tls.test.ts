import { once } from 'node:events';
import { connect, createServer as createPlain, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls, createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateMaker, createAuthority } from '../certificates/authority.ts';
import { type Got, listen, makeTarget, readAll, World, type WorldOptions } from './sample-world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const name = 'api.example.test';
const certificates = new CertificateMaker(createAuthority()).optionsFor([name], false);

interface Hand {
  readonly servername: string | false | undefined;
  readonly alpn: string | false | null;
  readonly version: string | null;
}

/** A target that says what was asked of it in the handshake, and answers everything. */
async function open(target: TlsOptions = {}, options: WorldOptions = {}): Promise<readonly [World, Hand[]]> {
  const hands: Hand[] = [];
  const server = createServer({ ...certificates, ...target }, (socket) => {
    // The name stands there for servers only.
    const { servername } = socket as TLSSocket & { readonly servername?: string | false };
    hands.push({ servername, alpn: socket.alpnProtocol, version: socket.getProtocol() });
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall'));
  });
  world = await World.open(server, options);
  return [world, hands];
}

async function ask(made: World, options: ConnectionOptions, host: string): Promise<string> {
  const box = await made.connect('https', options);
  box.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const text = await readAll(box);
  box.end();
  return text;
}

const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => void socket.once('close', resolve));

describe('TLS through the bridge', () => {
  it('shows the box a certificate for the name that it asks for, and asks the target for the same', async () => {
    const [made, hands] = await open({}, { host: name });
    expect(await ask(made, { servername: name }, name)).toMatch(/all$/);
    expect(hands).toEqual([{ servername: name, alpn: false, version: 'TLSv1.3' }]);
    expect(made.requests[0]?.[0]).toMatchObject({ serverName: name, authority: { host: name, port: made.port } });
    expect(await made.ended()).toBeNull();
  });

  it('says nothing to the target of a name that is not wanted', async () => {
    const judgeName = (asked: string) => (asked === name ? null : `not ${asked}`);
    const [made, hands] = await open({}, { judgeName });
    expect(await ask(made, { servername: 'other.example.test' }, '127.0.0.1')).toBe('');
    expect(await made.ended()).toBe('refused: not other.example.test');
    expect(hands).toEqual([]);
    const [fine, heard] = await made.close().then(() => open({}, { judgeName }));
    expect(await ask(fine, { servername: name }, name)).toMatch(/all$/);
    expect(heard).toMatchObject([{ servername: name }]);
  });

  it('shows one for the address where there is no name', async () => {
    const [made, hands] = await open();
    expect(await ask(made, {}, '127.0.0.1')).toMatch(/all$/);
    expect(hands).toMatchObject([{ servername: false }]);
    expect(made.requests[0]?.[0]).toMatchObject({ serverName: null });
  });

  it('shows one that others do not trust', async () => {
    const [made, hands] = await open();
    const box = await made.connect('https', { ca: createAuthority().certificatePem });
    await closed(box);
    expect(box.errored).toMatchObject({ code: expect.stringMatching(/CERT|SELF_SIGNED|VERIFY/) });
    expect(await made.ended()).not.toBeNull();
    expect(hands).toHaveLength(1);
    expect(made.requests).toEqual([]);
  });

  it('takes a name for an address, and then only requests for it', async () => {
    const [made] = await open();
    expect(await ask(made, { servername: name }, name)).toMatch(/all$/);
  });

  it.each([
    ['another name than that of the connection', { host: 'other.test' }, name, 'refused: another server name'],
    ['a request for another host', { host: name }, 'other.test', 'refused: another host than that of the TLS hello'],
    ['a request for the address', {}, '127.0.0.1', 'refused: another host than that of the TLS hello'],
  ])('refuses %s', async (_, options, host, reason) => {
    const [made] = await open({}, options);
    expect(await ask(made, { servername: name }, host)).not.toContain('200');
    expect(await made.ended()).toBe(reason);
    expect(made.requests.filter(([, { is }]) => is === 'allowed')).toEqual([]);
  });

  it.each([
    [['h2', 'http/1.1'], 'http/1.1'],
    [['http/1.1'], 'http/1.1'],
    [[], false],
  ])('agrees on HTTP/1.1 when the box offers %j', async (ALPNProtocols, agreed) => {
    const [made, hands] = await open({ ALPNProtocols: ['h2', 'http/1.1'] });
    const box = (await made.connect('https', { ALPNProtocols })) as TLSSocket;
    await once(box, 'secureConnect');
    expect(box.alpnProtocol).toBe(agreed);
    box.end('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    expect(await readAll(box)).toMatch(/all$/);
    expect(hands).toMatchObject([{ alpn: agreed }]);
  });

  it('does not speak with a box that only speaks HTTP/2', async () => {
    const [made] = await open();
    const box = await made.connect('https', { ALPNProtocols: ['h2'] });
    await closed(box);
    expect(await made.ended()).toMatch(/^box: handshake: /);
    expect(made.requests).toEqual([]);
  });

  it.each(['TLSv1', 'TLSv1.1', 'TLSv1.2'] as const)('reaches a target that only speaks %s', async (version) => {
    const [made, hands] = await open({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' });
    expect(await ask(made, {}, '127.0.0.1')).toMatch(/all$/);
    expect(hands).toMatchObject([{ version }]);
  });

  it.each([
    ['speaks no TLS', 'HTTP/1.1 400 Bad Request\r\n\r\n', /^upstream: handshake: ERR_SSL/],
    ['leaves', '', /^upstream: handshake: /],
  ])('cuts the box when the target %s', async (_, answer, reason) => {
    world = await World.open(createPlain((socket) => void socket.on('error', () => undefined).end(answer)));
    const box = await world.connect('https');
    await closed(box);
    expect(await world.ended()).toMatch(reason);
    expect(world.requests).toEqual([]);
  });

  it('does not wait for ever for the handshake of a target', async () => {
    world = await World.open(
      createPlain((socket) => void socket.on('error', () => undefined).resume()),
      {
        caps: { handshakeMs: 100 },
      },
    );
    await closed(await world.connect('https'));
    expect(await world.ended()).toBe('upstream: handshake: too slow');
  });

  /** The first bytes that a client sends. */
  async function recordHello(): Promise<Buffer> {
    const server = createPlain();
    const port = await listen(server);
    const client = connectTls({ port, host: '127.0.0.1' }).on('error', () => undefined);
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [hello] = (await once(socket, 'data')) as [Buffer];
    client.destroy();
    socket.destroy();
    server.close();
    return hello;
  }

  it('loses no socket of boxes that leave while hands are shaken', async () => {
    const [made] = await open();
    const hello = await recordHello();
    const ways = ['end', 'destroy', 'resetAndDestroy'] as const;
    const leaving = Array.from({ length: 60 }, async (_, count) => {
      const box = connect({ port: made.port, host: '127.0.0.1' }).on('error', () => undefined);
      await once(box, 'connect');
      box.resume().write(hello);
      for (let turns = 0; turns < count % 20; turns += 1) await turn();
      box[ways[count % 3] ?? 'end']();
      await closed(box);
    });
    await Promise.all(leaving);
    while (made.bridged.length < 60) await turn();
    await Promise.all(made.bridged.map(({ ended }) => ended));
    expect(made.bridged).toHaveLength(60);
    expect(made.sockets.filter((socket) => !socket.destroyed)).toEqual([]);
  });

  it('refuses a hello that cannot be read', async () => {
    const [made] = await open();
    const box = await made.connect('http');
    box.write(Buffer.from([22, 3, 1, 0, 5, 1, 0, 0, 1, 0]));
    await readAll(box);
    expect(await made.ended()).toBe('refused: a TLS hello that cannot be read');
  });

  it('does not carry what looks like TLS within TLS', async () => {
    const got: Got[] = [];
    world = await World.open(makeTarget('https', got, (_, response) => response.end()));
    const box = await world.connect('https');
    box.write(Buffer.from([22, 3, 1, 0, 5, 1, 0, 0, 1, 0]));
    await readAll(box);
    box.end();
    expect(await world.ended()).toBe('refused: not a request of HTTP');
    expect(got).toEqual([]);
  });
});
