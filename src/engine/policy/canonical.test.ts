import { describe, expect, it } from 'vitest';
import type { Policy } from '../../base/policy-schema.ts';
import { fingerprintPolicy } from './canonical.ts';
import { tierPolicy } from './tiers.ts';

const base = tierPolicy('MEDIUM');

type Change = (policy: Policy) => Policy;

const same: [string, Change][] = [
  ['another name and tier', (policy) => ({ ...policy, name: 'other', tier: 'HIGH' })],
  ['another order of files', (policy) => ({ ...policy, files: policy.files.toReversed() })],
  ['another order of variables', (policy) => ({ ...policy, environment: policy.environment.toReversed() })],
  [
    'other reasons',
    (policy) => ({ ...policy, files: policy.files.map((rule) => ({ ...rule, why: 'x', seenIn: ['e1'] })) }),
  ],
  ['a rule twice', (policy) => ({ ...policy, files: [...policy.files, { path: '/usr/', access: 'execute' }] })],
  [
    'a rule below one with the same access',
    (policy) => ({ ...policy, files: [...policy.files, { path: '/usr/bin', access: 'execute' }] }),
  ],
  [
    'a weaker rule on the same path',
    (policy) => ({ ...policy, files: [...policy.files, { path: '/usr', access: 'read' }] }),
  ],
  [
    'a host in capitals',
    (policy) => ({
      ...policy,
      network: { mode: 'allowlist', rules: [...policy.network.rules, { host: 'API.GITHUB.COM.', port: 443 }] },
    }),
  ],
  [
    'a call twice',
    (policy) => ({
      ...policy,
      syscalls: { deny: [...policy.syscalls.deny, { name: 'mount' }, { name: 'io_uring_setup' }] },
    }),
  ],
];

const different: [string, Change][] = [
  ['one more path', (policy) => ({ ...policy, files: [...policy.files, { path: '/opt', access: 'read' }] })],
  ['more access', (policy) => ({ ...policy, files: [...policy.files, { path: '/usr', access: 'write' }] })],
  [
    'one more host',
    (policy) => ({
      ...policy,
      network: { mode: 'allowlist', rules: [...policy.network.rules, { host: '*', port: 1 }] },
    }),
  ],
  ['another mode', (policy) => ({ ...policy, network: { ...policy.network, mode: 'fake' } })],
  ['another limit', (policy) => ({ ...policy, limits: { ...policy.limits, cpuCores: 3 } })],
  ['one call less', (policy) => ({ ...policy, syscalls: { deny: policy.syscalls.deny.slice(1) } })],
  ['a fixed value', (policy) => ({ ...policy, environment: [...policy.environment, { name: 'X', value: '1' }] })],
  ['a tool', (policy) => ({ ...policy, tools: [{ tool: 'a', verdict: 'deny' }] })],
];

function denying(...names: string[]): string {
  return fingerprintPolicy({ ...base, syscalls: { deny: names.map((name) => ({ name })) } });
}

describe('fingerprintPolicy', () => {
  it('knows that a call refused as a whole needs no guard, and what a guard refuses besides', () => {
    expect(denying('ioctl', 'ioctl(tiocsti)')).toBe(denying('ioctl'));
    expect(denying('ioctl(tiocsti)')).not.toBe(denying('ioctl'));
    expect(denying('clone(namespaces)')).toBe(denying('clone(namespaces)', 'clone3'));
  });

  it('is 64 hexadecimal digits and does not change by itself', () => {
    expect(fingerprintPolicy(base)).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprintPolicy(tierPolicy('MEDIUM'))).toBe(fingerprintPolicy(base));
  });

  it.each(same)('stays the same with %s', (_name, change) => {
    expect(fingerprintPolicy(change(base))).toBe(fingerprintPolicy(base));
  });

  it.each(different)('changes with %s', (_name, change) => {
    expect(fingerprintPolicy(change(base))).not.toBe(fingerprintPolicy(base));
  });

  it('tells a tool list that is empty from none', () => {
    expect(fingerprintPolicy({ ...base, tools: [] })).not.toBe(fingerprintPolicy(base));
  });

  it('does not look at rules that have no effect', () => {
    const none: Policy = { ...base, network: { mode: 'none', rules: [] } };
    expect(fingerprintPolicy({ ...none, network: { mode: 'none', rules: base.network.rules } })).toBe(
      fingerprintPolicy(none),
    );
  });
});
