import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { tierPolicy } from '../../policy/index.ts';
import { connectAddress } from './connect-address.ts';
import type { EgressDecision } from './decide.ts';
import { findWay } from './find-way.ts';
import { GateLog } from './gate-log.ts';
import { hostResolver, takingTurns } from './resolve-host.ts';

const rules = [
  { host: 'api.example', port: 443 },
  { host: '.wide.example', port: '*' as const },
  { host: '93.184.216.34', port: 443 },
];
const policy = { ...tierPolicy('LOW'), network: { mode: 'allowlist' as const, rules } };
const limits = { resolveMs: 1000, connectMs: 1000 };
const never = new AbortController().signal;

describe('findWay', () => {
  it.each([
    ['a public address', 'api.example', 443, ['1.1.1.1'], 'open 1.1.1.1'],
    ['the public one of two', 'api.example', 443, ['10.0.0.1', '1.1.1.1'], 'open 1.1.1.1'],
    ['a private one', 'api.example', 443, ['10.0.0.1'], 'refused special-address'],
    ['no address', 'api.example', 443, [], 'failed no-such-name'],
    ['no text of an address', 'api.example', 443, ['api.evil'], 'refused not-an-address'],
    ['another port', 'api.example', 80, ['1.1.1.1'], 'refused not-listed'],
    ['another name', 'evil.example', 443, ['1.1.1.1'], 'refused not-listed'],
    ['a listed address', '93.184.216.34', 443, ['10.0.0.1'], 'open 93.184.216.34'],
    ['an address that is not listed', '1.1.1.1', 443, ['1.1.1.1'], 'refused not-listed'],
    ['an address in front of a suffix', '127.0.0.1.wide.example', 443, ['127.0.0.1'], 'refused special-address'],
  ])('%s', async (_, host, port, resolved, expected) => {
    const connect = async () => new Socket();
    const way = await findWay({ policy, limits, connect, resolve: async () => resolved }, host, port, never);
    expect(`${way.is} ${way.is === 'open' ? way.address : way.because}`).toBe(expected);
  });

  it('looks up nothing that is not listed, and everything once', async () => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return ['1.1.1.1', '1.1.1.1', '1.0.0.1'];
    };
    const tried: string[] = [];
    const connect = async (address: string): Promise<Socket> => {
      tried.push(address);
      throw new Error('ECONNREFUSED');
    };
    for (const host of ['evil.example', '93.184.216.34', 'API.example.']) {
      await findWay({ policy, limits, connect, resolve }, host, 443, never);
    }
    expect(asked).toEqual(['api.example']);
    expect(tried).toEqual(['93.184.216.34', '1.1.1.1', '1.0.0.1']);
  });

  it('stops when the box leaves', async () => {
    const leaving = new AbortController();
    const resolve = () => {
      queueMicrotask(() => leaving.abort());
      return new Promise<never>(() => undefined);
    };
    const connect = async () => new Socket();
    const way = await findWay({ policy, limits, connect, resolve }, 'api.example', 443, leaving.signal);
    expect(way).toMatchObject({ is: 'failed', because: 'box-left' });
  });
});

describe('a decision in the place of the rules', () => {
  const connect = async () => new Socket();
  const resolve = async () => ['10.5.0.1', '10.6.0.1'];
  const within = (address: string, port: number): EgressDecision =>
    address.startsWith('10.5.') && port === 80
      ? { is: 'allowed', address }
      : { is: 'refused', because: address === '' ? 'not-an-address' : 'not-listed', detail: 'out of scope' };

  it.each([
    ['10.5.0.1', 80, 'open 10.5.0.1'],
    ['10.5.0.1', 81, 'refused not-listed'],
    ['10.6.0.1', 80, 'refused not-listed'],
    ['2001:db8::1', 80, 'refused not-listed'],
    ['93.184.216.34', 443, 'refused not-listed'],
    ['any.example', 80, 'open 10.5.0.1'],
  ])('%s port %i', async (host, port, expected) => {
    const means = {
      policy,
      limits,
      connect,
      resolve,
      decide: (_: string, at: number, address: string) => within(address, at),
    };
    const way = await findWay(means, host, port, never);
    expect(`${way.is} ${way.is === 'open' ? way.address : way.because}`).toBe(expected);
  });

  it('that fails is a refusal', async () => {
    const decide = (): never => {
      throw new Error('broken');
    };
    expect(await findWay({ policy, limits, connect, resolve, decide }, '10.5.0.1', 80, never)).toMatchObject({
      is: 'refused',
      detail: 'it could not be decided: broken',
    });
  });
});

describe('the pace', () => {
  it('is followed by another look at the rules, which may have come to their end meanwhile', async () => {
    const tried: string[] = [];
    const connect = async (address: string): Promise<Socket> => {
      tried.push(address);
      return new Socket();
    };
    let isOver = false;
    const over = { is: 'refused', because: 'not-listed', detail: 'over' } as const;
    const decide = (_: string, __: number, address: string): EgressDecision =>
      isOver ? over : { is: 'allowed', address };
    const pace = async () => {
      isOver = true;
    };
    const means = { policy, limits, connect, pace, decide, resolve: async () => [] };
    expect(await findWay(means, '1.1.1.1', 443, never)).toMatchObject(over);
    expect(tried).toEqual([]);
  });

  it('connects nobody who left when the turn came', async () => {
    const leaving = new AbortController();
    const tried: string[] = [];
    const connect = async (address: string): Promise<Socket> => {
      tried.push(address);
      return new Socket();
    };
    const pace = async (signal: AbortSignal) => {
      expect(signal).toBe(leaving.signal);
      leaving.abort();
    };
    const means = { policy, limits, connect, pace, resolve: async () => [] };
    expect(await findWay(means, '93.184.216.34', 443, leaving.signal)).toMatchObject({ because: 'box-left' });
    expect(tried).toEqual([]);
  });

  it('is waited for before every attempt', async () => {
    const order: string[] = [];
    const connect = async (address: string): Promise<Socket> => {
      order.push(address);
      throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    };
    const pace = async () => void order.push('pace');
    const means = { policy, limits, connect, pace, resolve: async () => ['1.1.1.1', '1.0.0.1'] };
    const way = await findWay(means, 'api.example', 443, never);
    expect(order).toEqual(['pace', '1.1.1.1', 'pace', '1.0.0.1']);
    expect(way).toMatchObject({ is: 'failed', because: 'unreachable', isRefusedByHost: true });
  });

  it('is not waited for when the box has left', async () => {
    const leaving = new AbortController();
    const pace = () => {
      queueMicrotask(() => leaving.abort());
      return new Promise<never>(() => undefined);
    };
    const means = { policy, limits, connect: async () => new Socket(), pace, resolve: async () => [] };
    const way = await findWay(means, '93.184.216.34', 443, leaving.signal);
    expect(way).toMatchObject({ is: 'failed', because: 'box-left' });
  });
});

describe('connectAddress', () => {
  it.each(['localhost', 'api.example', '', '127.1', 'fe80::1%lo'])('never connects to %j', async (address) => {
    await expect(connectAddress(address, 9, never)).rejects.toThrow('is no address');
  });
});

describe('hostResolver', () => {
  it('asks the host, whose own name it knows without anybody', async () => {
    const found = await hostResolver()('localhost');
    expect(found.length).toBeGreaterThan(0);
    for (const address of found) expect(['127.0.0.1', '::1']).toContain(address);
  });
});

describe('takingTurns', () => {
  it('runs so many at a time, and all of them, failures included', async () => {
    let running = 0;
    let most = 0;
    const resolve = takingTurns(async (name) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((next) => setImmediate(next));
      running -= 1;
      if (name === '3') throw new Error('no');
      return [name];
    }, 2);
    const ends = await Promise.allSettled(Array.from({ length: 9 }, (_, at) => resolve(String(at))));
    expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(Array.from({ length: 9 }, (_, at) => at !== 3));
    expect(most).toBe(2);
  });
});

describe('GateLog', () => {
  const source = {
    transport: 'tcp',
    connection: 1,
    peer: { address: '10.200.0.2', port: 1 },
    asked: { address: '1.1.1.1', port: 2, name: null },
    isInsideTls: false,
  } as const;

  it('numbers what two writers say, in order, one hand-over at a time', async () => {
    const seen: number[] = [];
    let isBusy = false;
    const log = new GateLog(async (events) => {
      expect(isBusy).toBe(false);
      isBusy = true;
      await new Promise((next) => setImmediate(next));
      seen.push(...events.map(({ sequence }) => sequence));
      isBusy = false;
    });
    const writing = [log.record(source, 'connection-open'), log.record(source, 'connection-close')];
    const fromRouter = {
      sequence: 1,
      kind: 'dns-query',
      at: { monotonicNs: '1', wallMs: 1 },
      ...source,
      fields: {},
    } as const;
    await Promise.all([...writing, log.put([fromRouter, { ...fromRouter, sequence: 2 }])]);
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(log.count).toBe(4);
  });

  it('fails for ever when the reader has failed', async () => {
    const log = new GateLog(() => {
      throw new Error('disk full');
    });
    await expect(log.record(source, 'connection-open')).rejects.toThrow('disk full');
    await expect(log.record(source, 'connection-close')).rejects.toThrow('disk full');
    await expect(log.flush()).rejects.toThrow('disk full');
  });
});
