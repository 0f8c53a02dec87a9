import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuthority, type GateBridge, httpBridge } from '../../../src/engine/net/index.ts';
import { allowing, EgressLab } from './egress-lab.ts';
import { needNetwork } from './lab.ts';

/** Whatever a target does to a connection, its gate closes, and nothing is left. */

let lab = new EgressLab();
beforeEach(async (context) => {
  await needNetwork(context);
  lab = new EgressLab();
});
afterEach(() => lab.close());

const piece = Buffer.alloc(64 * 1024, 120);

function flood(socket: Socket): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', write).resume();
  write();
}

const manners: Readonly<Record<string, (socket: Socket) => void>> = {
  'never reads': (socket) => void socket.pause(),
  'reads and says nothing': (socket) => void socket.resume(),
  floods: flood,
  'floods and never reads': (socket) => {
    flood(socket);
    socket.pause();
  },
  'is done at once and never reads': (socket) => {
    socket.pause();
    socket.end('HTTP/1.1 200 OK\r\n\r\n');
  },
  'is done in the middle of a head': (socket) => void socket.resume().end('HTTP/1.1 2'),
  'resets at the first byte': (socket) => void socket.once('data', () => socket.resetAndDestroy()),
};

/** Each port once with words and once without any; plain, and as TLS. Nobody reads what comes, nor ends by itself. */
const boxScript = (ports: readonly number[]): string => `
import { connect } from 'node:net';
import { connect as secure } from 'node:tls';
const body = Buffer.alloc(1 << 20, 120);
const head = (port) => 'POST / HTTP/1.1\\r\\nHost: 127.0.0.1:' + port + '\\r\\nContent-Length: 100000000\\r\\n\\r\\n';
let begun = 0;
for (const port of ${JSON.stringify(ports)}) {
  for (const manner of ['silent', 'talks', 'hello', 'half-closed']) {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }, () => {
      begun += 1;
      if (manner === 'talks') for (let count = 0; count < 8; count += 1) socket.write(count === 0 ? head(port) : body);
      if (manner === 'half-closed') socket.end('GET / HTTP/1.1\\r\\nHost: 127.0.0.1:' + port + '\\r\\n\\r\\n');
      if (manner === 'hello') secure({ socket, rejectUnauthorized: false }).on('error', () => undefined);
      if (begun === ${ports.length * 4}) setTimeout(() => process.exit(), 1500);
    });
    socket.pause().on('error', () => undefined);
  }
}
`;

async function openAll(bridge: GateBridge | null) {
  const open = new Set<Socket>();
  const made = Object.values(manners).map((serve) =>
    lab.upstream((socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      serve(socket);
    }),
  );
  const ports = (await Promise.all(made)).map(({ port }) => port);
  const gate = await lab.open({
    policy: allowing(...ports.map((port) => ['127.0.0.1', port] as const)),
    holdsHandshakes: true,
    hostLoopback: ['127.0.0.1'],
    bridge,
  });
  return { gate, ports, open };
}

const bridges: Readonly<Record<string, () => GateBridge | null>> = {
  'a splice': () => null,
  'a bridge': () =>
    httpBridge({ authority: createAuthority(), judge: () => null, pace: async () => undefined, caps: {} }),
};

describe('a gate closes', () => {
  it.each(Object.keys(bridges))('with %s, whatever targets do', async (kind) => {
    const { gate, ports, open } = await openAll(bridges[kind]?.() ?? null);
    const box = lab.node(boxScript(ports));
    const wanted = ports.length * 4;
    const count = (): number => lab.of('egress-allowed').length;
    await expect.poll(count).toBe(wanted);
    const end = await gate.close();
    expect(end.isComplete).toBe(true);
    expect(lab.of('connection-close')).toHaveLength(wanted);
    expect(gate.namespaces.paths.filter((path) => existsSync(path))).toEqual([]);
    // Those that neither read nor write hear of no end, though to the kernel there is nobody any more.
    for (const socket of open) {
      socket.removeAllListeners('drain').resume();
      if (socket.writable) socket.write('x');
    }
    await expect.poll(() => open.size).toBe(0);
    await box;
  });

  it('leaves nothing open at a target of connections beyond the limit', async () => {
    const open = new Set<Socket>();
    const { port, accepted } = await lab.upstream((socket) => {
      open.add(socket);
      socket.resume().once('close', () => open.delete(socket));
    });
    await lab.open({
      policy: allowing(['127.0.0.1', port]),
      holdsHandshakes: true,
      hostLoopback: ['127.0.0.1'],
      limits: { connections: 5 },
    });
    const box = lab.node(`
import { connect } from 'node:net';
let ended = 0;
const sockets = Array.from({ length: 40 }, () => connect(${port}, '127.0.0.1'));
for (const socket of sockets) {
  socket.resume().on('error', () => undefined).once('close', () => {
    ended += 1;
    if (ended === 35) process.stdout.write('refused', () => setTimeout(() => process.exit(), 4000));
  });
}
`);
    await expect.poll(() => lab.of('limit-hit').length).toBe(35);
    await expect.poll(() => open.size, { timeout: 3_500 }).toBe(5);
    expect(accepted()).toBeLessThanOrEqual(40);
    const left = lab.of('egress-failed').filter(({ fields }) => fields.because === 'box-left');
    expect(left).toHaveLength(accepted() - 5);
    expect((await box).stdout).toBe('refused');
  });
});
