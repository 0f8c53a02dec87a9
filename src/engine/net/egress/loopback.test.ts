import { describe, expect, it } from 'vitest';
import { LoopbackNames, leadLoopback, loopbackRules } from './loopback.ts';

describe('leadLoopback', () => {
  it('gives every address an alias of its own, once', () => {
    const leads = leadLoopback(['127.0.0.1', '::1', '127.5.6.7', '127.0.0.1', '::ffff:127.5.6.7']);
    expect(leads.map(({ address }) => address)).toEqual(['127.0.0.1', '::1', '127.5.6.7']);
    expect(new Set(leads.map(({ alias }) => alias)).size).toBe(3);
  });

  it.each(['10.0.0.1', '128.0.0.1', '::2', 'localhost', '127.1', '', '127.0.0.1 accept'])('refuses %j', (address) => {
    expect(() => leadLoopback([address])).toThrow('is no loopback address');
  });

  it('has a most', () => {
    const many = Array.from({ length: 1025 }, (_, at) => `127.1.${at >> 8}.${at & 255}`);
    expect(() => leadLoopback(many)).toThrow('too many');
    const aliases = leadLoopback(many.slice(1)).map(({ alias }) => alias);
    expect(new Set(aliases).size).toBe(1024);
    expect(aliases.at(-1)).toBe('240.0.4.0');
  });
});

describe('LoopbackNames', () => {
  const leads = leadLoopback(['127.0.0.2', '::1']);
  const names = new LoopbackNames(leads);

  it('puts the address back for its alias, and leaves all others', () => {
    for (const { address, alias } of leads)
      expect(names.restore({ address: alias, port: 80 })).toEqual({ address, port: 80 });
    expect(names.restore({ address: '8.8.8.8' })).toEqual({ address: '8.8.8.8' });
  });

  it('has rules for the addresses that were asked for alone', () => {
    const lines = loopbackRules(leads, 'eth0')
      .split('\n')
      .filter((line) => line.includes('daddr'));
    expect(lines.map((line) => line.trim())).toEqual([
      'ip daddr 127.0.0.2 dnat ip to 240.0.0.1',
      'ip6 daddr ::1 dnat ip6 to 100::1',
    ]);
  });
});
