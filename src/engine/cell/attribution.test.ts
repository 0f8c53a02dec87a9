import { describe, expect, it } from 'vitest';
import type { EventKind } from '../../base/event-schema.ts';
import { Attribution } from './attribution.ts';

const at = { monotonicNs: '1', wall: '2026-01-01T00:00:00.000Z' };
const process = (pid: number) => ({ pid, parent: 1, name: { text: `p${pid}` } });
const call = (pid: number, address: string, port: number, kind: EventKind = 'connect') => ({
  kind,
  at,
  process: process(pid),
  fields: { family: address.includes(':') ? 'ipv6' : 'ipv4', address, port },
});
const tcp = (connection: number, address: string, port: number) => ({
  connection,
  transport: 'tcp' as const,
  address,
  port,
});

describe('traffic', () => {
  it('belongs to the process that connected there, in order', () => {
    const attribution = new Attribution();
    attribution.learn(call(10, '198.18.0.1', 443));
    attribution.learn(call(11, '198.18.0.1', 443));
    attribution.learn(call(12, '198.18.0.2', 443));
    expect(attribution.processOf(tcp(1, '198.18.0.1', 443))?.pid).toBe(10);
    expect(attribution.processOf(tcp(2, '198.18.0.2', 443))?.pid).toBe(12);
    expect(attribution.processOf(tcp(3, '198.18.0.1', 443))?.pid).toBe(11);
    expect(attribution.processOf(tcp(1, '198.18.0.1', 443))?.pid).toBe(10);
  });

  it('belongs to nobody when nobody connected there', () => {
    const attribution = new Attribution();
    attribution.learn(call(10, '198.18.0.1', 443));
    expect(attribution.processOf(tcp(1, '198.18.0.1', 80))).toBeUndefined();
    expect(attribution.processOf(tcp(2, '198.18.0.9', 443))).toBeUndefined();
  });

  it('sees an IPv4 address through its IPv6 clothes', () => {
    const attribution = new Attribution();
    attribution.learn(call(10, '::ffff:c612:1', 443));
    expect(attribution.processOf(tcp(1, '198.18.0.1', 443))?.pid).toBe(10);
  });

  it('of datagrams belongs to the last that spoke', () => {
    const attribution = new Attribution();
    attribution.learn(call(10, '10.200.0.1', 53));
    attribution.learn(call(11, '10.200.0.1', 53, 'send-to'));
    const dns = { connection: 5, transport: 'udp' as const, address: '10.200.0.1', port: 53 };
    expect(attribution.processOf(dns)?.pid).toBe(11);
  });

  it('does not pile up without end', () => {
    const attribution = new Attribution();
    for (let count = 0; count < 50_000; count += 1) attribution.learn(call(count % 1000, '198.18.0.1', 443));
    expect(attribution.processOf(tcp(1, '198.18.0.1', 443))?.pid).toBe(0);
  });
});

describe('a file', () => {
  it('belongs to the last that opened it for writing, or moved it there', () => {
    const attribution = new Attribution();
    const path = { text: '/tmp/x' };
    const open = (pid: number, access: string) =>
      attribution.learn({ kind: 'open', at, process: process(pid), fields: { path, access } });
    open(10, 'write');
    open(11, 'read');
    expect(attribution.writerOf(path)?.pid).toBe(10);
    attribution.learn({ kind: 'rename', at, process: process(12), fields: { from: { text: '/tmp/y' }, to: path } });
    expect(attribution.writerOf(path)?.pid).toBe(12);
    expect(attribution.writerOf({ text: '/tmp/z' })).toBeUndefined();
  });
});
