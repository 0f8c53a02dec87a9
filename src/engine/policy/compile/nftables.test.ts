import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { compileNftables, type NftablesOptions } from './nftables.ts';

const rules: NetworkRule[] = [
  { host: '192.0.2.1', port: 443 },
  { host: '2001:db8::1', port: '*' },
  { host: '*', port: 80 },
  { host: 'api.example.com', port: 443 },
  { host: '.example.org', port: 443 },
];
const policy: Policy = { ...tierPolicy('LOW'), network: { mode: 'allowlist', rules } };

/** The lines of the chain that decides about what leaves. */
function outgoing(text: string): string[] {
  return (/chain outgoing \{([^}]*(?:\{[^}]*\}[^}]*)*)\n {2}\}/.exec(text)?.[1] ?? '')
    .trim()
    .split('\n')
    .map((line) => line.trim());
}

describe('compileNftables', () => {
  it('drops everything when there is no network', () => {
    const { value, gaps } = compileNftables(tierPolicy('LOW'));
    expect(outgoing(value)).toEqual([
      'type filter hook output priority filter; policy drop;',
      'oif lo accept',
      'ct state established,related accept',
      'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept',
      'limit rate 10/second burst 20 packets log prefix "hotcell drop " level info',
      'counter drop',
    ]);
    expect(gaps).toEqual([]);
  });

  it('accepts addresses and ports, and says that names need the gate', () => {
    const { value, gaps } = compileNftables(policy);
    expect(outgoing(value).filter((line) => line.includes('dport') || line.includes('daddr'))).toEqual([
      'ip daddr 192.0.2.1 tcp dport 443 accept',
      'ip6 daddr 2001:db8::1 accept',
      'tcp dport 80 accept',
    ]);
    expect(gaps).toMatchObject([
      { id: 'network-by-name', path: 'network.rules[3]', effect: 'closed' },
      { id: 'network-by-name', path: 'network.rules[4]', effect: 'closed' },
      { id: 'udp', effect: 'closed' },
    ]);
    expect(value).not.toContain('example');
  });

  it('lets the gate and the resolver be reached', () => {
    const { value, gaps } = compileNftables(policy, { resolver: '10.0.0.53', gateAddress: 'fd00::1' });
    expect(outgoing(value)).toContain('ip daddr 10.0.0.53 meta l4proto { tcp, udp } th dport 53 accept');
    expect(outgoing(value)).toContain('ip6 daddr fd00::1 tcp dport 1-65535 accept');
    expect(gaps.map(({ id }) => id)).toEqual(['udp']);
  });

  it('opens nothing to the resolver when there is no network', () => {
    expect(compileNftables(tierPolicy('LOW'), { resolver: '10.0.0.53' }).value).not.toContain('10.0.0.53');
  });

  it('accepts everything of an unrestricted policy', () => {
    const { value, gaps } = compileNftables(tierPolicy('CRITICAL'));
    expect(outgoing(value)).toContain('accept');
    expect(gaps).toEqual([]);
  });

  it('replaces its own table as a whole', () => {
    expect(compileNftables(policy).value.split('\n').slice(0, 3)).toEqual([
      'add table inet hotcell',
      'delete table inet hotcell',
      'table inet hotcell {',
    ]);
  });

  it.each<[string, NftablesOptions]>([
    ['an interface', { interface: 'a"; drop' }],
    ['a long interface', { interface: 'x'.repeat(16) }],
    ['a resolver', { resolver: 'example.com' }],
    ['a gate', { gateAddress: '1.2.3' }],
  ])('refuses %s that is none', (_name, options) => {
    expect(() => compileNftables(policy, options)).toThrow(UsageError);
  });
});

const nft = spawnSync('unshare', ['-n', 'nft', '--version']);
const canCheck = nft.status === 0;

describe('nft itself', () => {
  it.skipIf(!canCheck).each<[string, Policy, NftablesOptions]>([
    ['LOW', tierPolicy('LOW'), {}],
    ['MEDIUM', tierPolicy('MEDIUM'), {}],
    ['HIGH', tierPolicy('HIGH'), {}],
    ['CRITICAL', tierPolicy('CRITICAL'), {}],
    ['every kind of rule', policy, { resolver: '10.0.0.53', gateAddress: 'fd00::1' }],
    ['a router', policy, { interface: 'veth0', resolver: '::1' }],
  ])('accepts %s (skipped where nft cannot be run in a network of its own)', (_name, each, options) => {
    const text = compileNftables(each, options).value;
    // Twice, because the second time the table is there already.
    const script = 'text=$(cat); printf %s "$text" | nft -f - && printf %s "$text" | nft -f -';
    const { status, stderr } = spawnSync('unshare', ['-n', 'sh', '-c', script], { input: text, timeout: 20_000 });
    expect([status, stderr.toString()]).toEqual([0, '']);
  });
});
