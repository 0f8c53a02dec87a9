import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowing, EgressLab, echo } from './egress-lab.ts';
import { bytesOf, needNetwork, needTool } from './lab.ts';

let lab = new EgressLab();
beforeEach(async (context) => {
  await needNetwork(context);
  lab = new EgressLab();
});
afterEach(() => lab.close());

const open = (port: number, options: Omit<Parameters<EgressLab['open']>[0], 'policy'> = {}) =>
  lab.open({ policy: allowing(['api.example', port], ['127.0.0.1', port]), ...options });

describe('streams', () => {
  it('carry 50 MB in both directions at once, unchanged', async () => {
    const size = 50 * 1024 * 1024;
    const chunk = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 7919) & 255));
    const sent = createHash('sha256');
    const heard = createHash('sha256');
    for (let at = 0; at < size; at += chunk.length) sent.update(chunk);
    const expected = sent.digest('hex');
    const upload = Promise.withResolvers<string>();
    const { port } = await lab.upstream((socket) => {
      let left = size;
      const more = (): void => {
        while (left > 0) {
          left -= chunk.length;
          if (!socket.write(chunk)) return;
        }
        socket.end();
      };
      socket.on('drain', more).on('data', (data: Buffer) => void heard.update(data));
      socket.once('end', () => upload.resolve(heard.digest('hex')));
      more();
    });
    await open(port);
    const { stdout, stderr } = await lab.node(`
import { connect } from 'node:net';
import { createHash } from 'node:crypto';
const chunk = Buffer.from(Array.from({ length: 65536 }, (_, at) => (at * 7919) & 255));
const hash = createHash('sha256');
let left = ${size};
const socket = connect({ host: 'api.example', port: ${port}, allowHalfOpen: true });
const more = () => { while (left > 0) { left -= chunk.length; if (!socket.write(chunk)) return; } socket.end(); };
socket.on('connect', more).on('drain', () => left > 0 ? more() : socket.end()).on('data', (data) => hash.update(data));
socket.on('end', () => process.stdout.write(hash.digest('hex')));
`);
    expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' });
    expect(await upload.promise).toBe(expected);
    const close = await lab.until(({ kind }) => kind === 'connection-close');
    expect(close.fields).toMatchObject({ bytesRead: size, bytesWritten: size, bytesSentUpstream: size, problem: null });
  });

  it('end one direction at a time', async () => {
    const { port } = await lab.upstream((socket) => {
      const parts: Buffer[] = [];
      socket.on('data', (part: Buffer) => void parts.push(part));
      socket.once('end', () => setTimeout(() => socket.end(`${Buffer.concat(parts).length} bytes`), 200));
    });
    await open(port);
    expect(await lab.talk('api.example', port, 'x'.repeat(100_000))).toBe('100000 bytes');
    const early = await lab.upstream((socket) => void socket.end('first').resume());
    await open(early.port);
    const { stdout } = await lab.python(`
import socket
s = socket.create_connection(('api.example', ${early.port}), 10)
print(s.recv(10), s.recv(10))
s.sendall(b'y' * 70000); s.close()
`);
    expect(stdout).toBe("b'first' b''\n");
    const close = await lab.until(({ kind, asked }) => kind === 'connection-close' && asked.port === early.port);
    expect(close.fields).toMatchObject({ bytesSentUpstream: 70_000, problem: null });
  });

  it('are 200 at a time', async () => {
    const { port, accepted } = await lab.upstream(echo);
    await open(port);
    const { stdout, stderr } = await lab.node(`
import { connect } from 'node:net';
import { lookup } from 'node:dns/promises';
const { address } = await lookup('api.example');
const sockets = await Promise.all(Array.from({ length: 200 }, (_, at) => new Promise((resolve, reject) => {
  const socket = connect(${port}, address, () => socket.write('number ' + at));
  socket.once('error', reject).once('data', (data) => resolve([socket, String(data) === 'number ' + at]));
})));
console.log(sockets.filter(([, isRight]) => isRight).length);
for (const [socket] of sockets) socket.end();
`);
    expect({ stdout, stderr }).toEqual({ stdout: '200\n', stderr: '' });
    await lab.until(() => lab.of('connection-close').length === 200);
    const [end] = await lab.closeGates();
    expect(end?.isComplete).toBe(true);
    expect(accepted()).toBe(200);
    expect(new Set(lab.of('egress-allowed').map(({ connection }) => connection)).size).toBe(200);
  });

  it('wait for a slow reader, who loses nothing of 1,000', async () => {
    const { port } = await lab.upstream(echo);
    await open(port, {
      onEvents: async (events) => {
        lab.events.push(...events);
        await new Promise((resolve) => setTimeout(resolve, 2));
      },
    });
    const { stdout, stderr } = await lab.node(`
import { connect } from 'node:net';
import { lookup } from 'node:dns/promises';
const { address } = await lookup('api.example');
const one = (number) => new Promise((resolve, reject) => {
  const socket = connect(${port}, address).on('error', reject).on('close', resolve).resume();
  socket.end('line ' + number);
});
let next = 0;
const worker = async () => { while (next < 1000) { next += 1; await one(next); } };
await Promise.all(Array.from({ length: 50 }, worker));
console.log('done');
`);
    expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' });
    const [end] = await lab.closeGates();
    expect(end).toMatchObject({ isComplete: true, received: lab.events.length });
    const lines = lab.of('raw-bytes').map((event) => Number(bytesOf(event).toString().slice('line '.length)));
    expect(lines.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
    expect(lab.of('connection-close').length).toBe(1000);
    expect(lab.of('connection-close').every(({ fields }) => fields.problem === null)).toBe(true);
  });

  it('are all recorded to their end in a storm of knocks, and leave no socket behind', async () => {
    const { port } = await lab.upstream(echo);
    await open(port, { limits: { connections: 100 } });
    const sockets = () => readdirSync('/proc/self/fd').length;
    const before = sockets();
    const { stdout } = await lab.python(`
import socket, struct, time
name = socket.gethostbyname('api.example')
for i in range(3000):
    s = socket.socket(); s.setblocking(False)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', i % 2, 0))
    s.connect_ex((name if i % 3 else '93.184.216.34', ${port}))
    if i % 5 == 0:
        try: s.setblocking(True); s.sendall(b'x')
        except OSError: pass
    s.close()
for attempt in range(100):
    try: t = socket.create_connection((name, ${port}), 10); t.sendall(b'still here'); print(t.recv(20)); break
    except OSError: time.sleep(0.1)
`);
    expect(stdout).toBe("b'still here'\n");
    const [end] = await lab.closeGates();
    expect(end?.isComplete).toBe(true);
    const opened = lab.of('connection-open').map(({ connection }) => connection);
    const closed = lab.of('connection-close').map(({ connection }) => connection);
    expect(closed.toSorted((a, b) => a - b)).toEqual(opened.toSorted((a, b) => a - b));
    expect(lab.of('egress-refused').length).toBeGreaterThan(0);
    await expect.poll(sockets).toBeLessThanOrEqual(before);
  });

  it('break on one side when they break on the other', async () => {
    const { port } = await lab.upstream((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    await open(port);
    expect(await lab.talk('api.example', port)).toBe('ECONNRESET');
    const sockets: Socket[] = [];
    const other = await lab.upstream((socket) => void sockets.push(socket.resume()));
    await open(other.port);
    await lab.python(`
import socket, struct
s = socket.create_connection(('api.example', ${other.port}), 10)
s.sendall(b'x' * 10); s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0)); s.close()
`);
    const close = await lab.until(({ kind, asked }) => kind === 'connection-close' && asked.port === other.port);
    expect(close.fields.problem).toBe('box: ECONNRESET');
    // Both ends are of this process, which hears of the end of the other one a little later.
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

describe('limits', () => {
  it('end a connection that nobody answers, and one whose name nobody knows', async () => {
    await lab.open({
      policy: allowing(['silent.example', 4000], ['slow.example', 4000]),
      resolve: (name) => (name === 'slow.example' ? new Promise(() => undefined) : Promise.resolve(['93.184.216.34'])),
      connect: (_address, _port, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('too long')))),
      limits: { connectMs: 300, resolveMs: 300 },
    });
    expect(await lab.talk('silent.example', 4000)).toBe('ECONNRESET');
    expect(await lab.talk('slow.example', 4000)).toBe('ECONNRESET');
    await lab.until(() => lab.of('egress-failed').length === 2);
    expect(lab.of('egress-failed').map(({ fields }) => fields.because)).toEqual(['unreachable', 'no-such-name']);
  });

  it('end one that is silent, and one that says too much', async () => {
    const { port } = await lab.upstream((socket) => void socket.resume());
    await open(port, { limits: { idleMs: 300 } });
    const hold = `
import socket
s = socket.create_connection(('api.example', ${port}), 10)
s.sendall(b'x')
try: print(s.recv(1))
except OSError as e: print(type(e).__name__)
`;
    expect((await lab.python(hold)).stdout).toBe('ConnectionResetError\n');
    await lab.until(({ kind, fields }) => kind === 'limit-hit' && fields.limit === 'idleMs');
    await open(port, { limits: { connectionBytes: 100_000 } });
    const flood = `
import socket
s = socket.create_connection(('api.example', ${port}), 10)
try: s.sendall(b'x' * 50000000); print(s.recv(1))
except OSError as e: print(type(e).__name__)
`;
    expect((await lab.python(flood)).stdout).toMatch(/^(ConnectionResetError|BrokenPipeError)\n$/);
    await lab.until(({ kind, fields }) => kind === 'limit-hit' && fields.limit === 'connectionBytes');
  });

  it('refuse connections beyond the most, record each, and count those that have ended no longer', async () => {
    const { port } = await lab.upstream(echo);
    await open(port, { limits: { connections: 5 } });
    await lab.node(`
import { connect } from 'node:net';
import { lookup } from 'node:dns/promises';
const { address } = await lookup('api.example');
const sockets = Array.from({ length: 8 }, () => connect(${port}, address).on('error', () => {}));
setTimeout(() => sockets.forEach((socket) => socket.destroy()), 600);
`);
    await lab.until(() => lab.of('limit-hit').length === 3 && lab.of('connection-close').length === 5);
    expect(await lab.talk('api.example', port)).toBe('hello\n');
  });
});

describe('TLS', () => {
  const connectTls = (serverName: string, port: number): readonly string[] => [
    'openssl',
    's_client',
    '-connect',
    `api.example:${port}`,
    ...(serverName === '' ? ['-noservername'] : ['-servername', serverName]),
  ];

  it('passes with the name that was allowed or with none, and not with another', async (context) => {
    await needTool(context, 'openssl');
    const heard: Buffer[] = [];
    const { port } = await lab.upstream(
      (socket) =>
        void socket.once('data', (data: Buffer) => {
          heard.push(data);
          socket.destroy();
        }),
    );
    await open(port);
    for (const name of ['api.example', 'API.example', '', 'front.example']) await lab.inBox(connectTls(name, port), '');
    await lab.until(() => lab.of('tls-hello').length === 4 && lab.of('connection-close').length === 4);
    expect(lab.of('tls-hello').map(({ fields }) => fields.serverName)).toEqual([
      'api.example',
      'API.example',
      null,
      'front.example',
    ]);
    expect(heard.length).toBe(3);
    expect(Buffer.concat(heard).includes('front.example')).toBe(false);
    expect(lab.of('egress-refused').map(({ fields }) => [fields.because, fields.host])).toEqual([
      ['another-server-name', 'api.example'],
    ]);
    expect(bytesOf(lab.of('tls-hello')[3] ?? expect.fail()).includes('front.example')).toBe(true);
  });

  it('is not let through in pieces, nor when it cannot be read', async () => {
    const heard: Buffer[] = [];
    const { port } = await lab.upstream((socket) => void socket.on('data', (data: Buffer) => void heard.push(data)));
    await open(port, { limits: { idleMs: 1500 } });
    const { stdout } = await lab.python(`
import socket, ssl, time
incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
tls = ssl._create_unverified_context().wrap_bio(incoming, outgoing, server_hostname='front.example')
try: tls.do_handshake()
except ssl.SSLWantReadError: pass
hello = outgoing.read()
def say(*parts):
    s = socket.create_connection(('api.example', ${port}), 10); s.settimeout(10)
    try:
        for part in parts: s.sendall(part); time.sleep(0.05)
        return s.recv(1)
    except OSError as e: return type(e).__name__
body = hello[5:]
pieces = b''.join(b'\\x16\\x03\\x01' + len(body[i:i + 50]).to_bytes(2, 'big') + body[i:i + 50] for i in range(0, len(body), 50))
print(say(*[hello[i:i + 40] for i in range(0, len(hello), 40)]))
print(say(pieces))
print(say(b'\\x16\\x03\\x01\\x00\\x00' + hello))
print(say(hello[:100]))
print(say(b'\\x16\\x03'))
`);
    expect(stdout.trim().split('\n')).toEqual(Array(5).fill('ConnectionResetError'));
    expect(heard).toEqual([]);
  });
});
