import { describe, expect, it } from 'vitest';
import { tierPolicy } from '../../policy/index.ts';
import { decideEgress } from './decide.ts';
import { RulesInForce } from './rules-in-force.ts';

const policy = {
  ...tierPolicy('LOW'),
  network: { mode: 'allowlist' as const, rules: [{ host: 'a.example', port: 443 }] },
};
const publicAddress = '93.184.216.34';

describe('RulesInForce', () => {
  it('are those of the policy until others are set', () => {
    const rules = new RulesInForce(policy);
    expect(rules.hosts).toEqual(['a.example']);
    rules.set([{ host: '.b.example', port: '*' }], 'default-deny');
    expect(rules.hosts).toEqual(['.b.example']);
    expect(rules.isListed('a.example', 443)).toBe(false);
    expect(rules.isListed('c.b.example', 1)).toBe(true);
    expect(policy.network.rules).toHaveLength(1);
  });

  it.each([
    ['a listed host', 'b.example', publicAddress, 'allowed', true],
    ['any other host', 'c.example', publicAddress, 'allowed', false],
    ['a name that leads into our own network', 'c.example', '10.0.0.1', 'refused', false],
    ['the address of metadata', '169.254.169.254', '169.254.169.254', 'refused', false],
    ['a private address that a rule names', '10.1.2.3', '10.1.2.3', 'allowed', true],
  ] as const)('only looked at, decide on %s', (_, host, address, is, isListed) => {
    const rules = new RulesInForce(policy);
    rules.set(
      [
        { host: 'b.example', port: 443 },
        { host: '10.1.2.3', port: 443 },
      ],
      'audit-only',
    );
    expect(decideEgress(rules.policy, host, 443, address).is).toBe(is);
    if (is === 'allowed') expect(rules.isListed(host, 443)).toBe(isListed);
  });
});
