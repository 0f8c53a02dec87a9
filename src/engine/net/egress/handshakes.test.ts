import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { tierPolicy } from '../../policy/index.ts';
import type { NetEvent } from '../event.ts';
import type { HeldPacket } from '../holder/messages.ts';
import { type ConnectAddress, connectAddress } from './connect-address.ts';
import { GateLog } from './gate-log.ts';
import { Handshakes } from './handshakes.ts';
import { defaultEgressLimits, type EgressLimits } from './limits.ts';

/** A desk of handshakes without a kernel: packets are made up here, connections are real ones on loopback. */

const policy = {
  ...tierPolicy('LOW'),
  network: { mode: 'allowlist' as const, rules: [{ host: '127.0.0.1', port: '*' as const }] },
};

function lab(connect: ConnectAddress, limits: Partial<EgressLimits> = {}, pace: (() => Promise<void>) | null = null) {
  const events: NetEvent[] = [];
  const given: string[] = [];
  let isBroken = false;
  const failed = Promise.withResolvers<void>();
  const log = new GateLog((batch) => {
    if (isBroken) throw new Error('disk full');
    events.push(...batch);
  });
  const breakLog = (): void => {
    isBroken = true;
  };
  const gate = {
    policy,
    pace,
    connect,
    resolve: async () => [],
    isListed: () => true,
    limits: { ...defaultEgressLimits, ...limits },
    log,
    inspect: null,
    bridge: null,
  };
  const handshakes = new Handshakes({
    gate,
    give: (id, verdict) => void given.push(`${id} ${verdict}`),
    nameOf: async () => null,
    onFailure: () => failed.resolve(),
  });
  return { handshakes, given, events, log, failed: failed.promise, breakLog };
}

const packet = (id: number, port: number, address = '127.0.0.1', from = 40_000): HeldPacket => ({
  id,
  from: { address: '10.200.0.2', port: from },
  to: { address, port },
});
const stream = (port: number, from = 40_000) => ({
  connection: 1,
  peer: { address: '10.200.0.2', port: from },
  asked: { address: '127.0.0.1', port, name: null },
});

async function listening(use: (port: number, accepted: readonly Socket[]) => Promise<void>): Promise<void> {
  const accepted: Socket[] = [];
  const server = createServer((socket) => void accepted.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    await use(typeof address === 'object' && address !== null ? address.port : 0, accepted);
  } finally {
    for (const socket of accepted) socket.destroy();
    server.close();
  }
}

const failing =
  (code: string): ConnectAddress =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }));
/** Until somebody gives up. */
const silent: ConnectAddress = (_address, _port, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('it took too long'))));

/** A handshake whose target has accepted, and when that connection ends. */
async function connected(port: number, accepted: readonly Socket[]) {
  const { handshakes, given, events } = lab(connectAddress);
  handshakes.take(packet(1, port));
  await expect.poll(() => given).toEqual(['1 accept']);
  await expect.poll(() => accepted.length).toBe(1);
  const ended = new Promise((resolve) => accepted[0]?.once('close', resolve).resume());
  return { handshakes, events, ended };
}

describe('a held handshake', () => {
  it('goes on when its target has accepted, once for all of its packets, and hands its connection over', async () => {
    await listening(async (port, accepted) => {
      const { handshakes, given, events } = lab(connectAddress);
      for (const id of [1, 2, 3]) handshakes.take(packet(id, port));
      await expect.poll(() => given).toEqual(['1 accept', '2 accept', '3 accept']);
      handshakes.take(packet(4, port));
      expect(given.at(-1)).toBe('4 accept');
      await expect.poll(() => accepted.length).toBe(1);
      expect(handshakes.claim(stream(port, 40_001))).toBeNull();
      const found = handshakes.claim(stream(port));
      expect(found?.way).toMatchObject({ is: 'open', address: '127.0.0.1' });
      expect(found?.connection).toBeGreaterThan(2 ** 31);
      expect(handshakes.claim(stream(port))).toBeNull();
      found?.way.upstream.destroy();
      await handshakes.close();
      expect(events).toEqual([]);
    });
  });

  it('is given to a stream that the box reset before it could be asked', async () => {
    await listening(async (port) => {
      const { handshakes, given } = lab(connectAddress);
      handshakes.take(packet(1, port));
      await expect.poll(() => given.length).toBe(1);
      const found = handshakes.claim(stream(port, 0));
      expect(found?.peer.port).toBe(40_000);
      found?.way.upstream.destroy();
    });
  });

  it('is let go, target and all, when nobody will serve its stream', async () => {
    await listening(async (port, accepted) => {
      const { handshakes, events, ended } = await connected(port, accepted);
      handshakes.letGo(stream(port, 40_001));
      expect(events).toEqual([]);
      handshakes.letGo(stream(port));
      handshakes.letGo(stream(port));
      await ended;
      expect(handshakes.claim(stream(port))).toBeNull();
      await handshakes.close();
      expect(events.map(({ kind, fields }) => `${kind} ${fields.because}`)).toEqual(['egress-failed box-left']);
    });
  });

  it.each([
    ['its target refuses', failing('ECONNREFUSED'), '127.0.0.1', 'egress-failed unreachable', ['1 reset', '2 drop']],
    [
      'its target cannot be reached',
      failing('EHOSTUNREACH'),
      '127.0.0.1',
      'egress-failed unreachable',
      ['1 drop', '2 drop'],
    ],
    ['the rules refuse', failing('never tried'), '10.9.9.9', 'egress-refused not-listed', ['1 reset', '2 drop']],
    ['nobody answers', silent, '127.0.0.1', 'egress-failed unreachable', ['1 drop', '2 drop']],
  ])('is judged and recorded once when %s', async (_, connect, address, recorded, verdicts) => {
    const { handshakes, given, events, log } = lab(connect, { connectMs: 20 });
    handshakes.take(packet(1, 80, address));
    handshakes.take(packet(2, 80, address));
    await expect.poll(() => given).toEqual(verdicts);
    expect(events.map(({ kind, fields }) => `${kind} ${fields.because}`)).toEqual([recorded]);
    expect(log.attempts.blocked).toBe(recorded.startsWith('egress-refused') ? 1 : 0);
    await handshakes.close();
  });

  it('is dropped beyond the most, which is told once until there is room again', async () => {
    const { handshakes, given, events } = lab(silent, { heldHandshakes: 2 });
    for (const from of [1, 2, 3, 4]) handshakes.take(packet(from, 80, '127.0.0.1', from));
    expect(given).toEqual(['3 drop', '4 drop']);
    await expect.poll(() => events.map(({ fields }) => fields.limit)).toEqual(['heldHandshakes']);
    await handshakes.close();
    expect(given.toSorted()).toEqual(['1 drop', '2 drop', '3 drop', '4 drop']);
    handshakes.take(packet(5, 80));
    expect(given.at(-1)).toBe('5 drop');
  });

  it('waits for the pace, and not for ever', async () => {
    const tried: number[] = [];
    const connect: ConnectAddress = (_address, port) => {
      tried.push(port);
      return Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    };
    const { handshakes, given, events } = lab(connect, { heldMs: 30 }, () => new Promise(() => undefined));
    handshakes.take(packet(1, 80));
    await expect.poll(() => given).toEqual(['1 drop']);
    expect(events[0]?.fields).toMatchObject({ because: 'unreachable', detail: 'it was held for too long' });
    expect(tried).toEqual([]);
    await handshakes.close();
  });

  it('does not go on when it cannot be recorded', async () => {
    const { handshakes, given, failed, breakLog } = lab(failing('ECONNREFUSED'));
    breakLog();
    handshakes.take(packet(1, 80));
    await failed;
    expect(given).toEqual(['1 drop']);
  });

  it('leaves no connection behind when nobody takes it before the end', async () => {
    await listening(async (port, accepted) => {
      const { handshakes, events, ended } = await connected(port, accepted);
      await handshakes.close();
      await ended;
      expect(events.map(({ kind, fields }) => `${kind} ${fields.because}`)).toEqual(['egress-failed box-left']);
    });
  });
});
