import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLeftoverNamespaces, removeNamespaces } from '../../../src/engine/net/index.ts';
import { bytesOf, Lab, needNetwork, newRunId } from './lab.ts';

let lab = new Lab();
beforeEach(async (context) => {
  await needNetwork(context);
  lab = new Lab();
});
afterEach(() => lab.close());

describe('a slow reader', () => {
  it('loses nothing of 4,000 connections and 8 megabytes', async () => {
    await lab.open({
      onEvents: async (events) => {
        lab.events.push(...events);
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
    });
    const { stdout, stderr } = await lab.node(`
import { connect } from 'node:net';
const one = (number) => new Promise((resolve, reject) => {
  const socket = connect(7000, '198.51.100.' + (number % 250));
  socket.on('error', reject).on('close', resolve);
  socket.end('line ' + number + '\\n' + 'x'.repeat(2048));
});
let next = 0;
const worker = async () => { while (next < 4000) { next += 1; await one(next); } };
await Promise.all(Array.from({ length: 50 }, worker));
console.log('done');
`);
    expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' });
    const [end] = await lab.closeNetwork();
    expect(end).toMatchObject({ isComplete: true, missing: 0 });
    const texts = new Map<number, string>();
    for (const event of lab.of('raw-bytes')) {
      texts.set(event.connection, (texts.get(event.connection) ?? '') + bytesOf(event).toString());
    }
    const numbers = [...texts.values()].map((text) => Number(/^line (\d+)\nx{2048}$/.exec(text)?.[1] ?? Number.NaN));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 4000 }, (_, at) => at + 1));
    expect(lab.of('connection-close').length).toBe(4000);
  });

  it('loses no datagram of 5,000 without saying so', async () => {
    await lab.open();
    await lab.inBox([
      'python3',
      '-c',
      `
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(5000): s.sendto(b'datagram %d' % i, ('198.51.100.7', 9999))
`,
    ]);
    await lab.until(({ kind }) => kind === 'raw-bytes');
    let before = -1;
    while (before !== lab.events.length) {
      before = lab.events.length;
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
    const [end] = await lab.closeNetwork();
    const dropped = end?.counts?.droppedDatagrams ?? Number.NaN;
    expect(lab.of('raw-bytes').length + dropped).toBe(5000);
    expect(end?.isComplete).toBe(dropped === 0);
  });
});

describe('a request that is broken off', () => {
  it('is kept as far as it came', async () => {
    await lab.open();
    await lab.node(`
import { connect } from 'node:net';
const socket = connect(80, '198.51.100.1', () => socket.write('POST /half HTTP/1.1\\r\\nhost: a\\r\\ncontent-length: 1000\\r\\n\\r\\nfirst part'));
setTimeout(() => socket.destroy(), 300);
`);
    const request = await lab.until(({ kind, fields }) => kind === 'http-request' && fields.path === '/half');
    expect({ text: bytesOf(request).toString(), isWhole: request.fields.isWhole }).toEqual({
      text: 'first part',
      isWhole: false,
    });
  });
});

describe('connections that are open at the end', () => {
  it('still report it', async () => {
    const internet = await lab.open();
    const client = spawn(
      'ip',
      internet.namespaces.inBox([
        'python3',
        '-c',
        "import socket, time\ns = [socket.create_connection(('198.51.100.1', 7100 + i)) for i in range(20)]\ntime.sleep(60)",
      ]) as string[],
    );
    await lab.until(() => lab.of('connection-open').length === 20);
    const [end] = await lab.closeNetwork();
    client.kill('SIGKILL');
    expect(end?.isComplete).toBe(true);
    expect(lab.of('connection-close').length).toBe(20);
  });
});

describe('limits', () => {
  it('cut off a connection that sends for ever', async () => {
    await lab.open({ caps: { readBytes: 100_000, keptBytes: 1000 } });
    const { stdout } = await lab.node(`
import { connect } from 'node:net';
const socket = connect(7001, '198.51.100.1');
const more = () => { while (socket.writable && socket.write(Buffer.alloc(65536))); };
socket.on('connect', more).on('drain', more).on('error', () => {}).on('close', () => console.log('closed'));
`);
    expect(stdout).toBe('closed\n');
    await lab.until(({ kind, fields }) => kind === 'limit-hit' && fields.limit === 'readBytes');
    const kept = lab.of('raw-bytes').reduce((sum, event) => sum + bytesOf(event).length, 0);
    expect(kept).toBeLessThanOrEqual(1000);
  });

  it('refuse connections beyond the most, and record each refusal', async () => {
    await lab.open({ caps: { connections: 5 } });
    await lab.node(`
import { connect } from 'node:net';
const sockets = Array.from({ length: 8 }, () => connect(7002, '198.51.100.1').on('error', () => {}));
setTimeout(() => sockets.forEach((socket) => socket.destroy()), 600);
`);
    await lab.until(() => lab.of('limit-hit').length >= 3);
    expect(lab.of('limit-hit').length).toBe(3);
  });
});

describe('an end that nobody planned', () => {
  it('of the router is told', async () => {
    const internet = await lab.open();
    process.kill(internet.routerPid ?? 0, 'SIGKILL');
    while (existsSync(`/proc/${internet.routerPid}/fd/0`)) await new Promise((resolve) => setTimeout(resolve, 10));
    const [end] = await lab.closeNetwork();
    expect(end).toMatchObject({ isComplete: false, counts: null });
    expect(end?.diedAtMs).toBeGreaterThan(0);
  });

  it('of the parent ends the router, and its namespaces can be found', async () => {
    const runId = newRunId();
    const holder = spawn(process.execPath, [fileURLToPath(new URL('./hold-network.ts', import.meta.url)), runId], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const routerPid = await new Promise<number>((resolve) => {
        holder.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
      });
      expect(existsSync(`/proc/${routerPid}`)).toBe(true);
      holder.kill('SIGKILL');
      const deadline = Date.now() + 20_000;
      while (existsSync(`/proc/${routerPid}`) && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(existsSync(`/proc/${routerPid}`)).toBe(false);
      const left = await findLeftoverNamespaces((id) => id !== runId);
      expect(left.length).toBe(2);
    } finally {
      holder.kill('SIGKILL');
      await removeNamespaces(await findLeftoverNamespaces((id) => id !== runId));
    }
  });
});
