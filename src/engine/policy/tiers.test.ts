import { describe, expect, it } from 'vitest';
import { mebibyte } from '../../base/limits.ts';
import { policySchema, type Tier, tiers } from '../../base/policy-schema.ts';
import { grantsOf } from './canonical.ts';
import { diffPolicies } from './diff.ts';
import { allowsConnection } from './network.ts';
import { accessAt, indexAccess } from './paths.ts';
import { parsePolicy } from './read/parse.ts';
import { isSyscallName } from './syscalls/names.ts';
import { tierPolicy } from './tiers.ts';

const steps = tiers.slice(1).map((upper, at): [Tier, Tier] => [tiers[at] ?? 'LOW', upper]);

describe('the order of tiers', () => {
  it.each(steps)('%s allows nothing that %s does not', (lower, upper) => {
    expect(diffPolicies(tierPolicy(upper), tierPolicy(lower))).toEqual([]);
  });

  it.each(steps)('%s is strictly weaker than nothing: %s allows more of every kind that is counted', (lower, upper) => {
    const more = diffPolicies(tierPolicy(lower), tierPolicy(upper));
    const subjects = new Set(more.map(({ subject }) => subject));
    expect(subjects).toContain('network');
    expect(subjects).toContain('environment');
    expect(more.filter(({ subject }) => subject === 'limits')).toHaveLength(8);
  });
});

describe.each(tiers)('%s', (tier) => {
  const policy = tierPolicy(tier);

  it('is a valid policy, as an object and as a file', () => {
    expect(policySchema.safeParse(policy).success).toBe(true);
    expect(parsePolicy(JSON.parse(JSON.stringify(policy)), tier)).toEqual({ policy, notices: [] });
  });

  it('says why for every line', () => {
    const lines = [...policy.files, ...policy.environment, ...policy.network.rules, ...policy.syscalls.deny];
    expect(lines.filter(({ why }) => !why)).toEqual([]);
  });

  it.each([
    '/etc/shadow',
    '/etc',
    '/root',
    '/home',
    '/var',
    '/run',
    '/proc',
    '/sys',
    '/etc/ssl/private',
    '/etc/passwd',
  ])('does not give %s of the host', (path) => {
    expect(accessAt(indexAccess(policy.files), path).read).toBe(false);
  });

  it('lets no caller inject code through the environment', () => {
    const loading =
      /^(LD_|DYLD_|GIT_)|^(NODE_OPTIONS|PYTHONPATH|PYTHONSTARTUP|BASH_ENV|ENV|PERL5OPT|PERL5LIB|RUBYOPT|NODE_PATH)$/;
    expect(policy.environment.filter(({ name }) => loading.test(name))).toEqual([]);
    expect(policy.environment.find(({ name }) => name === 'PATH')?.value).toBeDefined();
  });

  it('refuses only calls that exist, and the dangerous ones', () => {
    const names = policy.syscalls.deny.map(({ name }) => name);
    expect(names.filter((name) => !isSyscallName(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const dangerous = [
      'io_uring_setup',
      'bpf',
      'ptrace',
      'mount',
      'keyctl',
      'userfaultfd',
      'kexec_load',
      'finit_module',
      'setns',
    ];
    expect(names).toEqual(
      expect.arrayContaining([...dangerous, 'unshare', 'clone3', 'clone(namespaces)', 'socket(raw)']),
    );
  });

  it('keeps the disk within half of the memory', () => {
    expect(policy.limits.diskBytes).toBeLessThanOrEqual(policy.limits.memoryBytes / 2);
  });

  it('is a copy for every caller', () => {
    const first = tierPolicy(tier);
    first.files.length = 0;
    first.limits.memoryBytes = 1;
    expect(tierPolicy(tier)).toEqual(policy);
  });
});

describe('what the tiers promise', () => {
  it.each([
    ['LOW', 256, 32, 0.5],
    ['MEDIUM', 512, 64, 1],
    ['HIGH', 1024, 128, 2],
    ['CRITICAL', 2048, 256, 4],
  ] as const)('%s: %i MiB, %i processes, %d cores', (tier, megabytes, processes, cpuCores) => {
    expect(tierPolicy(tier).limits).toMatchObject({ memoryBytes: megabytes * mebibyte, processes, cpuCores });
  });

  it.each([
    ['LOW', [false, false, false, false]],
    ['MEDIUM', [true, false, false, false]],
    ['HIGH', [true, true, true, false]],
    ['CRITICAL', [true, true, true, true]],
  ] as const)('%s reaches a named API, anybody by HTTPS, anybody by HTTP, anybody at all: %j', (tier, expected) => {
    const asked = [
      ['api.github.com', 443],
      ['example.com', 443],
      ['example.com', 80],
      ['198.51.100.1', 6667],
    ] as const;
    expect(asked.map(([host, port]) => allowsConnection(tierPolicy(tier), host, port))).toEqual(expected);
  });

  it.each(['LOW', 'MEDIUM'] as const)('in %s nothing can be both written and executed', (tier) => {
    const policy = tierPolicy(tier);
    expect(grantsOf(policy.files).filter(({ write, execute }) => write && execute)).toEqual([]);
    expect(policy.syscalls.deny.map(({ name }) => name)).toContain('memfd_create');
  });
});
