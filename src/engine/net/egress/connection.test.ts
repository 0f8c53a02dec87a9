import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { tierPolicy } from '../../policy/index.ts';
import type { NetEvent } from '../event.ts';
import { connectAddress } from './connect-address.ts';
import { GateConnection, type GateMeans } from './connection.ts';
import { GateLog } from './gate-log.ts';
import { defaultEgressLimits } from './limits.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

async function pair(): Promise<readonly [near: Socket, far: Socket]> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  opened.push(server);
  await once(server, 'listening');
  const address = server.address();
  const near = connect({ port: typeof address === 'object' ? (address?.port ?? 0) : 0, host: '127.0.0.1' });
  const [far] = (await once(server, 'connection')) as [Socket];
  for (const socket of [near, far]) {
    socket.on('error', () => undefined);
    opened.push({ close: () => socket.destroy() });
  }
  return [near, far];
}

const rules = [{ host: '127.0.0.1', port: '*' as const }];

async function serve(change: Partial<GateMeans>) {
  const [client, box] = await pair();
  const [upstream, target] = await pair();
  const events: NetEvent[] = [];
  const means: GateMeans = {
    policy: { ...tierPolicy('LOW'), network: { mode: 'allowlist', rules } },
    isListed: () => true,
    limits: defaultEgressLimits,
    log: new GateLog((more) => void events.push(...more)),
    inspect: null,
    bridge: null,
    resolve: async () => [],
    connect: connectAddress,
    ...change,
  };
  const peer = { address: '10.200.0.2', port: 40_000 };
  const asked = { address: '127.0.0.1', port: 80, name: null };
  const way = { is: 'open', upstream, address: '127.0.0.1', resolved: [], skipped: [] } as const;
  const connection = new GateConnection(box, { connection: 1, peer, asked }, means, { connection: 1, peer, way });
  return { client, target, connection, events, served: connection.serve() };
}

const closings = (events: readonly NetEvent[]): readonly NetEvent[] =>
  events.filter(({ kind }) => kind === 'connection-close');

describe('GateConnection', () => {
  it('lets nothing through before somebody looks, and ends though nobody ever does', async () => {
    const { client, target, connection, events, served } = await serve({ inspect: () => new Promise(() => undefined) });
    let heard = '';
    target.on('data', (bytes) => {
      heard += bytes;
    });
    client.write('words');
    await expect.poll(() => events.some(({ kind }) => kind === 'raw-bytes')).toBe(true);
    connection.cut();
    await served;
    expect(heard).toBe('');
    expect(closings(events)).toHaveLength(1);
  });

  it('carries on when somebody looks', async () => {
    const seen: string[] = [];
    const inspect = async () => (bytes: Buffer) => {
      seen.push(bytes.toString());
      return null;
    };
    const { client, target, events, served } = await serve({ inspect });
    client.end('words');
    const [heard] = (await once(target, 'data')) as [Buffer];
    target.end('answer');
    client.resume();
    await served;
    expect([heard.toString(), seen]).toEqual(['words', ['words']]);
    expect(closings(events)[0]?.fields).toMatchObject({ problem: null, bytesSentUpstream: 5, bytesReadUpstream: 6 });
  });
});
