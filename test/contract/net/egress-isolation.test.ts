import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTool } from '../../../src/base/process.ts';
import { findLeftoverNamespaces, namespaceNames, removeNamespaces } from '../../../src/engine/net/index.ts';
import { allowing, EgressLab, echo } from './egress-lab.ts';
import { needNetwork, newRunId } from './lab.ts';

let lab = new EgressLab();
beforeEach(async (context) => {
  await needNetwork(context);
  lab = new EgressLab();
});
afterEach(() => lab.close());

/** Addresses at which a listener of the host on every interface is reached. */
const hostAddresses = (): readonly string[] => {
  const own = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
  return [...new Set(['127.0.0.1', '::1', ...own])].filter((address) => !address.startsWith('fe80'));
};

/** Sends a datagram and tries a connection to every address; prints what became of the connections. */
const knock = (addresses: readonly string[], tcp: number, udp: number): string => `
import socket
for address in ${JSON.stringify(addresses)}:
    family = socket.AF_INET6 if ':' in address else socket.AF_INET
    try: socket.socket(family, socket.SOCK_DGRAM).sendto(b'out', (address, ${udp}))
    except OSError: pass
    try:
        s = socket.create_connection((address, ${tcp}), 2); s.sendall(b'out'); print(s.recv(10))
    except OSError as e: print(type(e).__name__)
`;

const python = (script: string): readonly string[] => ['python3', '-c', script];

describe('nothing goes out', () => {
  it('from the box or from the router, but through the gate', async () => {
    const upstream = await lab.upstream(echo, '::');
    const datagrams: string[] = [];
    const listener = createSocket(
      { type: 'udp6' },
      (message, { address }) => void datagrams.push(`${message} ${address}`),
    );
    await new Promise<void>((resolve) => void listener.bind(0, '::', resolve));
    try {
      const addresses = hostAddresses();
      const script = knock(addresses, upstream.port, listener.address().port);
      // The host itself reaches both: the attempts below fail because of where they are made.
      const fromHost = await runTool('python3', ['-c', script]);
      expect(fromHost.stdout.toString().trim().split('\n')).toEqual(addresses.map(() => "b'out'"));
      await expect.poll(() => datagrams.length).toBe(addresses.length);
      const before = upstream.accepted();

      await lab.open({ policy: allowing(['api.example', upstream.port], ['127.0.0.1', upstream.port]) });
      for (const spoken of [await lab.inBox(python(script)), await lab.inRouter(python(script))]) {
        const lines = spoken.stdout.trim().split('\n');
        expect(lines.length).toBe(addresses.length);
        for (const line of lines)
          expect(line).toMatch(/^(ConnectionRefusedError|ConnectionResetError|TimeoutError|OSError)$/);
      }
      expect(upstream.accepted()).toBe(before);
      expect(await lab.talk('api.example', upstream.port)).toBe('hello\n');
      expect(upstream.accepted()).toBe(before + 1);
      expect(datagrams.length).toBe(addresses.length);
    } finally {
      listener.close();
    }
  });

  it('because the router process has no root, no capability and no socket of the host', async () => {
    const { port } = await lab.upstream(echo);
    const gate = await lab.open({ policy: allowing(['api.example', port], ['127.0.0.1', port]) });
    const box = spawn('ip', [
      ...gate.namespaces.inBox(
        lab.asBox(
          python(
            `import socket, time\ns = socket.create_connection(('api.example', ${port})); s.sendall(b'x'); s.recv(1); time.sleep(30)`,
          ),
        ),
      ),
    ]);
    try {
      await lab.until(({ kind }) => kind === 'raw-bytes');
      const status = await runTool('cat', [`/proc/${gate.routerPid}/status`]);
      expect(status.stdout.toString()).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
      expect(status.stdout.toString()).toMatch(/^CapEff:\t0{16}$/m);
      // In the router's namespace there is no connection to the upstream; there is in the host's.
      const states = ['-Htn', 'state', 'established', `dport = :${port}`];
      expect((await lab.inRouter(['ss', ...states])).stdout).toBe('');
      expect((await runTool('ss', states)).stdout.toString()).toContain(`127.0.0.1:${port}`);
      // All that the router holds of the network was made in its own namespace.
      const sockets = await runTool('sh', ['-c', `ls -l /proc/${gate.routerPid}/fd | grep -o 'socket:.*' | sort -u`]);
      const inodes = [...sockets.stdout.toString().matchAll(/\[(\d+)\]/g)].map(([, inode]) => inode);
      const ofHost = (await runTool('sh', ['-c', 'cat /proc/net/tcp /proc/net/tcp6 /proc/net/udp /proc/net/udp6']))
        .stdout;
      const hostInodes = new Set(
        ofHost
          .toString()
          .split('\n')
          .map((line) => line.trim().split(/\s+/)[9]),
      );
      expect(inodes.length).toBeGreaterThan(4);
      expect(inodes.filter((inode) => hostInodes.has(inode))).toEqual([]);
    } finally {
      box.kill('SIGKILL');
    }
  });
});

/** A client of the box that holds a connection and tells how it ended. */
function holdInBox(namespace: string, port: number) {
  const script = `
import socket
s = socket.create_connection(('api.example', ${port}), 20); s.settimeout(30)
s.sendall(b'x'); print(s.recv(1), flush=True)
try: print(s.recv(1))
except OSError as e: print(type(e).__name__)
`;
  const argv = ['netns', 'exec', namespace, ...lab.asBox(python(script))];
  const child = spawn('ip', argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = '';
  child.stdout.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
  });
  const ended = new Promise<string>((resolve) => void child.once('close', () => resolve(heard)));
  return { child, heard: () => heard, ended };
}

describe('an end that nobody planned', () => {
  it('of the router breaks every connection, is told, and leaves nothing', async () => {
    const { port } = await lab.upstream(echo);
    const gate = await lab.open({ policy: allowing(['api.example', port], ['127.0.0.1', port]) });
    const box = holdInBox(gate.namespaces.names.box, port);
    await expect.poll(box.heard).toBe("b'x'\n");
    process.kill(gate.routerPid ?? 0, 'SIGKILL');
    expect(await box.ended).toBe("b'x'\nConnectionResetError\n");
    const [end] = await lab.closeGates();
    expect(end).toMatchObject({ isComplete: false, counts: null, missing: 0 });
    expect(end?.diedAtMs).toBeGreaterThan(0);
    expect(lab.of('connection-close').length).toBe(1);
    expect(existsSync(gate.namespaces.boxPath)).toBe(false);
  });

  it('of the reader cuts everything and is told', async () => {
    const { port, accepted } = await lab.upstream(echo);
    let isBroken = false;
    const gate = await lab.open({
      policy: allowing(['api.example', port], ['127.0.0.1', port]),
      onEvents: (events) => {
        if (isBroken) throw new Error('disk full');
        lab.events.push(...events);
      },
    });
    const box = holdInBox(gate.namespaces.names.box, port);
    await expect.poll(box.heard).toBe("b'x'\n");
    isBroken = true;
    expect(await lab.talk('api.example', port)).toMatch(/ECONNRESET|EPIPE/);
    expect(await box.ended).toBe("b'x'\nConnectionResetError\n");
    expect(accepted()).toBe(1);
    await expect(lab.closeGates()).rejects.toThrow('disk full');
    expect(existsSync(gate.namespaces.boxPath)).toBe(false);
  });

  it('of the gate itself breaks the connections and ends the router', async () => {
    const { port } = await lab.upstream(echo);
    const runId = newRunId();
    // Only for the resolver file that the client is given.
    await lab.open({ policy: allowing(['unused.example', 1]) });
    const file = fileURLToPath(new URL('./hold-gate.ts', import.meta.url));
    const holder = spawn(process.execPath, [file, runId, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const routerPid = await new Promise<number>((resolve) => {
        holder.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
      });
      const box = holdInBox(namespaceNames(runId).box, port);
      await expect.poll(box.heard).toBe("b'x'\n");
      holder.kill('SIGKILL');
      // The kernel closes for a process that was killed: an end, or a reset when something was unread.
      expect(await box.ended).toMatch(/^b'x'\n(b''|ConnectionResetError)\n$/);
      await expect.poll(() => existsSync(`/proc/${routerPid}`)).toBe(false);
    } finally {
      holder.kill('SIGKILL');
      await removeNamespaces(await findLeftoverNamespaces((id) => id !== runId));
    }
  });
});

describe('connections that are open at the end', () => {
  it('are reset and still report it', async () => {
    const { port } = await lab.upstream(echo);
    const gate = await lab.open({ policy: allowing(['api.example', port], ['127.0.0.1', port]) });
    const boxes = Array.from({ length: 5 }, () => holdInBox(gate.namespaces.names.box, port));
    for (const box of boxes) await expect.poll(box.heard).toBe("b'x'\n");
    const [end] = await lab.closeGates();
    for (const box of boxes) expect(await box.ended).toBe("b'x'\nConnectionResetError\n");
    expect(end).toMatchObject({ isComplete: true, received: lab.events.length });
    expect(lab.of('connection-close').map(({ fields }) => fields.problem)).toEqual(Array(5).fill('gate: closed'));
  });
});
