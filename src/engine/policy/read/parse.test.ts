import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { policySchema } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { parsePolicy } from './parse.ts';

const low = tierPolicy('LOW');

function problemsOf(input: unknown): string[] {
  try {
    parsePolicy(input, 'my.json');
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

describe('a policy that extends a tier', () => {
  it('is the tier when it says nothing more', () => {
    const { policy, notices } = parsePolicy({ extends: 'low' }, '/some/where/mine.json');
    expect(policy).toEqual({ ...low, name: 'mine' });
    expect(notices).toEqual([]);
  });

  it('merges limits key by key', () => {
    const { policy } = parsePolicy({ extends: 'LOW', limits: { processes: 40 } }, 'x');
    expect(policy.limits).toEqual({ ...low.limits, processes: 40 });
  });

  it('appends lists and replaces the network', () => {
    const input = {
      extends: 'MEDIUM',
      files: [{ path: '/opt/tool/', access: 'execute', why: 'the tool' }],
      environment: ['EXTRA'],
      syscalls: { deny: ['chmod'] },
      network: { mode: 'allowlist', rules: ['example.com:443'] },
    };
    const medium = tierPolicy('MEDIUM');
    const { policy } = parsePolicy(input, 'x');
    expect(policy.files).toEqual([...medium.files, { path: '/opt/tool', access: 'execute', why: 'the tool' }]);
    expect(policy.environment).toEqual([...medium.environment, { name: 'EXTRA' }]);
    expect(policy.syscalls.deny).toEqual([...medium.syscalls.deny, { name: 'chmod' }]);
    expect(policy.network).toEqual({ mode: 'allowlist', rules: [{ host: 'example.com', port: 443 }] });
  });

  it('takes its own rule for a variable instead of the preset', () => {
    const { policy } = parsePolicy({ extends: 'LOW', environment: [{ name: 'PATH', value: '/opt/bin' }] }, 'x');
    expect(policy.environment.filter(({ name }) => name === 'PATH')).toEqual([{ name: 'PATH', value: '/opt/bin' }]);
  });
});

describe('short forms', () => {
  it.each([
    ['example.com:443', { host: 'example.com', port: 443 }],
    ['EXAMPLE.com.:443', { host: 'example.com', port: 443 }],
    ['.example.com:80', { host: '.example.com', port: 80 }],
    ['example.com:*', { host: 'example.com', port: '*' }],
    ['*', { host: '*', port: '*' }],
    ['*:443', { host: '*', port: 443 }],
    ['[2001:DB8::1]:443', { host: '2001:db8::1', port: 443 }],
    ['10.0.0.1:25', { host: '10.0.0.1', port: 25 }],
  ])('network rule %s', (text, rule) => {
    const { policy } = parsePolicy({ extends: 'LOW', network: { mode: 'allowlist', rules: [text] } }, 'x');
    expect(policy.network.rules).toEqual([rule]);
  });

  it('files as lists per access, as words or with a reason', () => {
    const files = { read: ['/a/', { path: '/b', why: 'needed' }], write: ['{tmp}'], execute: [] };
    const { policy } = parsePolicy({ ...low, files }, 'x');
    expect(policy.files).toEqual([
      { path: '/a', access: 'read' },
      { path: '/b', access: 'read', why: 'needed' },
      { path: '{tmp}', access: 'write' },
    ]);
  });
});

describe('what is wrong is told with its place, what was expected and what was found', () => {
  it.each<[string, unknown, string]>([
    ['no object', [], 'the policy: expected an object with $schema, version, name, tier, extends, files'],
    ['an unknown key', { extends: 'LOW', limit: {} }, 'found "limit"; did you mean "limits"?'],
    [
      'an unknown tier',
      { extends: 'LOWW' },
      'extends: expected one of "LOW", "MEDIUM", "HIGH", "CRITICAL", found "LOWW"; did you mean "LOW"?',
    ],
    ['another version', { extends: 'LOW', version: 2 }, 'version: expected 1, found 2'],
    ['an empty name', { extends: 'LOW', name: '' }, 'name: expected text of 1 to 200 characters, found ""'],
    [
      'an unknown access list',
      { extends: 'LOW', files: { wriet: [] } },
      'files.wriet: expected one of the keys read, write, execute, found "wriet"; did you mean "write"?',
    ],
    ['a relative path', { extends: 'LOW', files: { read: ['a'] } }, 'files.read[0].path: expected an absolute path'],
    [
      'a path with ..',
      { extends: 'LOW', files: { read: ['/a/../b'] } },
      'files.read[0].path: expected a path without ".." parts, found "/a/../b"',
    ],
    [
      'an unknown access',
      { extends: 'LOW', files: [{ path: '/a', access: 'rw' }] },
      'files[0].access: expected one of "read", "write", "execute", found "rw"',
    ],
    ['no list', { extends: 'LOW', files: 3 }, 'files: expected a list, found 3'],
    ['a text limit', { extends: 'LOW', limits: { cpuCores: 'x' } }, 'limits.cpuCores: expected a number, found "x"'],
    [
      'a fraction',
      { extends: 'LOW', limits: { processes: 1.5 } },
      'limits.processes: expected a whole number, found 1.5',
    ],
    [
      'a tiny limit',
      { extends: 'LOW', limits: { memoryBytes: 1 } },
      'limits.memoryBytes: expected at least 16777216, found 1',
    ],
    [
      'an unknown limit',
      { extends: 'LOW', limits: { memory: 1 } },
      'limits.memory: expected one of the keys memoryBytes',
    ],
    [
      'no port',
      { extends: 'LOW', network: { mode: 'allowlist', rules: ['a.com'] } },
      'network.rules[0]: expected "host:port"',
    ],
    [
      'a large port',
      { extends: 'LOW', network: { mode: 'allowlist', rules: ['a.com:70000'] } },
      'network.rules[0].port: expected at most 65535, found 70000',
    ],
    [
      'a port by name',
      { extends: 'LOW', network: { mode: 'allowlist', rules: [{ host: 'a.com', port: 'https' }] } },
      'network.rules[0].port: expected a port from 1 to 65535 or "*", found "https"',
    ],
    [
      'bare IPv6',
      { extends: 'LOW', network: { mode: 'allowlist', rules: ['::1:80'] } },
      'network.rules[0]: expected "host:port"',
    ],
    [
      'a wrong IPv6',
      { extends: 'LOW', network: { mode: 'allowlist', rules: ['[:::]:80'] } },
      'network.rules[0].host: expected an IPv6 address',
    ],
    [
      'half an IPv4',
      { extends: 'LOW', network: { mode: 'allowlist', rules: ['127.1:80'] } },
      'network.rules[0].host: expected an IPv4 address with four numbers, found "127.1"',
    ],
    [
      'an octal IPv4',
      { extends: 'LOW', network: { mode: 'allowlist', rules: ['0177.0.0.1:80'] } },
      'network.rules[0].host: expected an IPv4 address',
    ],
    [
      'an unknown mode',
      { extends: 'LOW', network: { mode: 'open' } },
      'network.mode: expected one of "none", "fake", "allowlist", found "open"',
    ],
    [
      'a variable',
      { extends: 'LOW', environment: ['A-B'] },
      'environment[0].name: expected the name of an environment variable, found "A-B"',
    ],
    [
      'two values',
      { extends: 'LOW', environment: [{ name: 'A', value: '1' }, 'A'] },
      'environment[1]: expected one rule for A',
    ],
    ['an unknown call', { extends: 'LOW', syscalls: { deny: ['bfp'] } }, 'found "bfp"; did you mean "bpf"?'],
    ['an unknown guard', { extends: 'LOW', syscalls: { deny: ['ioctl(tiocst)'] } }, 'did you mean "ioctl(tiocsti)"?'],
    [
      'a verdict',
      { extends: 'LOW', tools: [{ tool: 'x', verdict: 'maybe' }] },
      'tools[0].verdict: expected one of "allow", "deny", "ask"',
    ],
  ])('%s', (_name, input, expected) => {
    expect(problemsOf(input)).toEqual([expect.stringContaining(expected)]);
  });

  it('tells every section that is missing', () => {
    expect(problemsOf({}).map((line) => line.split(':')[0])).toEqual([
      'files',
      'environment',
      'network',
      'limits',
      'syscalls',
    ]);
  });

  it('tells many faults at once, and only so many', () => {
    const rules = Array.from({ length: 80 }, () => 'x');
    const told = problemsOf({ extends: 'LOW', network: { mode: 'allowlist', rules } });
    expect(told).toHaveLength(51);
    expect(told.at(-1)).toBe('and 30 more');
  });

  it('prints nothing of the file as it is', () => {
    const [told = ''] = problemsOf({ extends: 'LOW', '\u001b[31m': 1 });
    expect(told).toContain('\\x1b[31m');
    expect(told).not.toContain('\u001b');
  });
});

describe('text that is not what it looks like', () => {
  it.each([
    [
      'a host',
      { network: { mode: 'allowlist', rules: ['exa\u200bmple.com:443'] } },
      'network.rules[0].host',
      'U+200B removed',
    ],
    [
      'a host in full-width letters',
      { network: { mode: 'allowlist', rules: ['ｅxample.com:443'] } },
      'network.rules[0].host',
      'U+FF45 became "e"',
    ],
    ['a variable', { environment: ['PA\u00adTH'] }, 'environment[0].name', 'U+00AD removed'],
    ['a call', { syscalls: { deny: ['b\u2060pf'] } }, 'syscalls.deny[0].name', 'U+2060 removed'],
  ])('%s is refused', (_name, input, path, change) => {
    const told = problemsOf({ extends: 'LOW', ...input });
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`${path}: expected`);
    expect(told[0]).toContain(change);
  });

  it('a path is kept as written and told', () => {
    const { policy, notices } = parsePolicy({ extends: 'LOW', files: { read: ['/etc/x\u202e'] } }, 'x');
    expect(policy.files.at(-1)?.path).toBe('/etc/x\u202e');
    expect(notices).toMatchObject([{ id: 'unusual-characters', path: 'files.read[0]' }]);
    expect(notices[0]?.what).toContain('U+202E removed');
  });

  it('a tool is kept as written and told', () => {
    const { policy, notices } = parsePolicy({ extends: 'LOW', tools: [{ tool: 're\u200bad', verdict: 'allow' }] }, 'x');
    expect(policy.tools?.[0]?.tool).toBe('re\u200bad');
    expect(notices).toMatchObject([{ id: 'unusual-characters', path: 'tools[0].tool' }]);
  });

  it('a host that mixes scripts is refused, and one in its ASCII form is told', () => {
    const rules = (rule: string) => ({ extends: 'LOW', network: { mode: 'allowlist', rules: [rule] } });
    expect(problemsOf(rules('раураl.com:443'))[0]).toContain('mixes Latin and Cyrillic');
    const { notices } = parsePolicy(rules('xn--80ak6aa92e.com:443'), 'x');
    expect(notices).toMatchObject([{ id: 'confusable-host', path: 'network.rules[0].host' }]);
    expect(parsePolicy(rules('xn--mnchen-3ya.de:443'), 'x').notices).toEqual([]);
  });
});

describe('notices about a valid policy', () => {
  it.each<[string, object]>([
    ['rules-without-effect', { network: { mode: 'none', rules: ['*'] } }],
    ['gives-secrets', { files: { read: ['/'] } }],
    ['gives-secrets', { files: { read: ['/root/.ssh'] } }],
    ['gives-secrets', { files: { write: ['/var/run/docker.sock'] } }],
    ['writable-code', { files: { write: ['{work}'] } }],
    ['loads-code', { environment: ['LD_PRELOAD'] }],
    ['loads-code', { environment: ['NODE_OPTIONS'] }],
    ['disk-above-memory', { limits: { diskBytes: 1024 ** 3 } }],
    ['unusual-characters', { name: 'a\u200b' }],
  ])('%s', (id, input) => {
    expect(parsePolicy({ extends: 'LOW', ...input }, 'x').notices.map((notice) => notice.id)).toEqual([id]);
  });

  it('tells which dangerous calls are left', () => {
    const { notices } = parsePolicy({ ...low, syscalls: { deny: ['bpf'] } }, 'x');
    expect(notices).toMatchObject([{ id: 'syscalls-allowed', path: 'syscalls.deny' }]);
    expect(notices[0]?.what).toContain('io_uring_setup');
  });
});

describe('any input', () => {
  const keys = ['extends', 'version', 'name', 'tier', 'files', 'environment', 'network', 'limits', 'syscalls', 'tools'];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('LOW', 1, [], {}, ['*'], { mode: 'allowlist', rules: ['*'] }),
  );
  const nested = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...keys), value),
    fc.record(
      {
        extends: fc.constant('LOW'),
        files: fc.oneof(value, fc.array(fc.record({ path: fc.string(), access: fc.string() }))),
        environment: fc.array(fc.oneof(fc.string({ unit: 'binary' }), value)),
        network: fc.record({
          mode: fc.constantFrom('allowlist', 'none', 'x'),
          rules: fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.record({ host: fc.string(), port: value }))),
        }),
        syscalls: fc.record({ deny: fc.array(fc.oneof(fc.string(), value)) }),
      },
      { requiredKeys: ['extends'] },
    ),
  );

  it('gives a policy or a UsageError, never anything else', () => {
    fc.assert(
      fc.property(nested, (input) => {
        try {
          const { policy } = parsePolicy(input, 'x');
          expect(policySchema.safeParse(policy).success).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('reads what it has written', () => {
    fc.assert(
      fc.property(fc.constantFrom('LOW', 'MEDIUM', 'HIGH', 'CRITICAL'), (tier) => {
        const { policy } = parsePolicy({ extends: tier, files: { read: ['/opt/x'] } }, 'x');
        expect(parsePolicy(JSON.parse(JSON.stringify(policy)), 'x').policy).toEqual(policy);
      }),
    );
  });
});
