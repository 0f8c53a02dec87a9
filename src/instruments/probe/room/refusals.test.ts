import { describe, expect, it } from 'vitest';
import type { NetEvent } from '../../../engine/net/index.ts';
import { Refusals } from './refusals.ts';

function event(kind: NetEvent['kind'], more: Partial<NetEvent> = {}): NetEvent {
  return {
    sequence: 1,
    kind,
    at: { monotonicNs: '0', wallMs: Date.now() + 1000 },
    transport: 'tcp',
    connection: 1,
    peer: { address: '10.200.0.2', port: 4000 },
    asked: { address: '198.51.100.66', port: 443, name: null },
    isInsideTls: false,
    fields: { detail: 'it is not what this scan is aimed at' },
    ...more,
  };
}

describe('Refusals', () => {
  it('counts each kind once', () => {
    const refusals = new Refusals();
    refusals.begin();
    for (let at = 0; at < 3; at += 1) refusals.see(event('egress-refused'));
    refusals.see(event('dns-query', { fields: { name: 'a.example' } }));
    refusals.see(event('raw-bytes', { transport: 'udp', asked: { address: '2001:db8::1', port: 443, name: null } }));
    refusals.see(event('egress-allowed'));
    expect(refusals.list()).toEqual([
      { to: '198.51.100.66:443', because: 'it is not what this scan is aimed at', count: 3 },
      { to: 'name a.example', because: 'names are not resolved here', count: 1 },
      { to: '[2001:db8::1]:443/udp', because: 'only TCP is let through', count: 1 },
    ]);
  });

  it('leaves out what the box asks its own loopback before the scanner is let go, and nothing else', () => {
    const refusals = new Refusals();
    const loopback = { asked: { address: '127.0.0.1', port: 4711, name: null } };
    refusals.see(event('egress-refused', loopback));
    refusals.see(event('egress-refused'));
    refusals.begin();
    refusals.see(event('egress-refused', loopback));
    expect(refusals.list().map(({ to }) => to)).toEqual(['198.51.100.66:443', '127.0.0.1:4711']);
  });

  it('is bounded', () => {
    const refusals = new Refusals();
    for (let at = 0; at < 500; at += 1) refusals.add(`host-${at}`, 'x'.repeat(5000));
    const list = refusals.list();
    expect(list).toHaveLength(200);
    expect(list.at(-1)).toMatchObject({ to: 'others', count: 301 });
    expect(list[0]?.because.length).toBeLessThanOrEqual(300);
  });
});
