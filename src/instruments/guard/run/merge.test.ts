import { describe, expect, it } from 'vitest';
import { type Policy, policySchema, tiers } from '../../../base/policy-schema.ts';
import { diffPolicies, tierPolicy } from '../../../engine/policy/index.ts';
import { mergePolicies } from './merge.ts';

const low = tierPolicy('LOW');

function make(changes: Partial<Policy>): Policy {
  return { ...low, ...changes };
}

const seen = (id: string) => ({ why: `seen in ${id}`, seenIn: [id] });

describe('mergePolicies', () => {
  it('keeps the reasons and the evidence of both for one line', () => {
    const left = make({ files: [{ path: '/srv/a', access: 'read', ...seen('one') }] });
    const right = make({ files: [{ path: '/srv/a', access: 'read', ...seen('two') }] });
    expect(mergePolicies(left, right).files).toEqual([
      { path: '/srv/a', access: 'read', why: 'seen in one; seen in two', seenIn: ['one', 'two'] },
    ]);
  });

  it.each([
    ['none', 'none', 'none'],
    ['none', 'fake', 'fake'],
    ['fake', 'allowlist', 'allowlist'],
    ['allowlist', 'none', 'allowlist'],
  ] as const)('a network %s with a network %s is %s', (left, right, expected) => {
    const rules = [{ host: 'api.example', port: 443 }];
    const network = (mode: Policy['network']['mode']) => ({ mode, rules: mode === 'allowlist' ? rules : [] });
    const merged = mergePolicies(make({ network: network(left) }), make({ network: network(right) }));
    expect(merged.network).toEqual(network(expected));
  });

  it.each([
    ['allow', 'deny', 'allow'],
    ['ask', 'deny', 'ask'],
    ['deny', 'deny', 'deny'],
  ] as const)('a tool with %s and %s: %s', (left, right, expected) => {
    const tools = (verdict: 'allow' | 'ask' | 'deny') => [{ tool: 'read', verdict }];
    const merged = mergePolicies(make({ tools: tools(left) }), make({ tools: tools(right) }));
    expect(merged.tools).toEqual([{ tool: 'read', verdict: expected }]);
  });

  it('lets an argument be what either lets it be, and frees one that only one restricts', () => {
    const rule = (patterns: Record<string, Record<string, unknown>>) =>
      make({ tools: [{ tool: 'read', verdict: 'allow', arguments: patterns }] });
    const merged = mergePolicies(
      rule({ path: { const: 'a' }, mode: { const: 'r' }, only: { const: 1 } }),
      rule({ path: { const: 'b' }, mode: { const: 'r' } }),
    );
    expect(merged.tools?.[0]?.arguments).toEqual({
      path: { anyOf: [{ const: 'a' }, { const: 'b' }] },
      mode: { const: 'r' },
    });
  });

  it('allows every tool when one of them has no list', () => {
    expect(mergePolicies(make({ tools: [] }), low).tools).toBeUndefined();
  });

  it('denies a guarded use of a call where one of them denies the whole call', () => {
    const deny = (name: string) => make({ syscalls: { deny: [{ name }] } });
    const both = mergePolicies(deny('ioctl(tiocsti)'), deny('ioctl'));
    expect(both.syscalls.deny.map(({ name }) => name)).toEqual(['ioctl(tiocsti)']);
    expect(mergePolicies(deny('bpf'), deny('mount')).syscalls.deny).toEqual([]);
  });

  it('is never stricter than either of the two, and is a policy, for all tiers', () => {
    for (const a of tiers.map(tierPolicy)) {
      for (const b of tiers.map(tierPolicy)) {
        const merged = mergePolicies(a, b);
        expect(policySchema.safeParse(merged).success).toBe(true);
        for (const each of [a, b]) expect(diffPolicies(merged, each)).toEqual([]);
      }
    }
  });

  it('changes nothing when merged with itself', () => {
    for (const tier of tiers) expect(mergePolicies(tierPolicy(tier), tierPolicy(tier))).toEqual(tierPolicy(tier));
  });
});
