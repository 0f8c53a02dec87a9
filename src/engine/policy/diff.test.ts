import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Policy, tiers } from '../../base/policy-schema.ts';
import { fingerprintPolicy } from './canonical.ts';
import { diffPolicies } from './diff.ts';
import { tierPolicy } from './tiers.ts';

const low = tierPolicy('LOW');
type Files = Policy['files'];
const withFiles = (files: Files): Policy => ({ ...low, files });
const withRules = (...rules: Policy['network']['rules']): Policy => ({ ...low, network: { mode: 'allowlist', rules } });
const withTools = (tools: NonNullable<Policy['tools']>): Policy => ({ ...low, tools });
const whats = (a: Policy, b: Policy): string[] => diffPolicies(a, b).map(({ what }) => what);

describe('diffPolicies', () => {
  it.each<[string, Files, Files, string[]]>([
    ['nothing', [], [], []],
    ['a new path', [], [{ path: '/a', access: 'read' }], ['read /a']],
    ['a path below', [{ path: '/a', access: 'read' }], [{ path: '/a/b', access: 'read' }], []],
    ['a path above', [{ path: '/a/b', access: 'read' }], [{ path: '/a', access: 'read' }], ['read /a']],
    ['write below read', [{ path: '/a', access: 'read' }], [{ path: '/a/b', access: 'write' }], ['write /a/b']],
    ['read below write', [{ path: '/a', access: 'write' }], [{ path: '/a/b', access: 'read' }], []],
    [
      'two accesses at once',
      [],
      [
        { path: '/a', access: 'write' },
        { path: '/a', access: 'execute' },
      ],
      ['write /a', 'execute /a'],
    ],
    ['everything', [{ path: '/a', access: 'read' }], [{ path: '/', access: 'read' }], ['read /']],
    ['a folder of the box', [{ path: '/', access: 'write' }], [{ path: '{tmp}', access: 'write' }], ['write {tmp}']],
  ])('files: %s', (_name, a, b, expected) => {
    expect(whats(withFiles(a), withFiles(b))).toEqual(expected);
  });

  it('network: names, suffixes and ports', () => {
    const a = withRules({ host: '.a.com', port: 443 }, { host: '*', port: 80 });
    const b = withRules({ host: 'x.a.com', port: 443 }, { host: 'x.a.com', port: '*' }, { host: 'y.com', port: 80 });
    expect(whats(a, b)).toEqual(['connect to x.a.com:*']);
    expect(whats(low, a)).toEqual(['connect to .a.com:443', 'connect to *:80']);
    expect(whats(a, low)).toEqual([]);
  });

  it('network: modes', () => {
    const fake: Policy = { ...low, network: { mode: 'fake', rules: [] } };
    expect(whats(low, fake)).toEqual(['a fake network']);
    expect(whats(fake, low)).toEqual([]);
    expect(whats(fake, withRules())).toEqual([]);
  });

  it('environment: names and fixed values', () => {
    const a: Policy = { ...low, environment: [{ name: 'A', value: '1' }, { name: 'B' }] };
    const b: Policy = { ...low, environment: [{ name: 'A' }, { name: 'B', value: '2' }, { name: 'C' }] };
    expect(whats(a, b)).toEqual(['any value for A', 'pass C']);
  });

  it('limits: only larger ones', () => {
    const more: Policy = { ...low, limits: { ...low.limits, processes: 33, wallMs: 1000 } };
    expect(whats(low, more)).toEqual(['processes 33 instead of 32']);
  });

  it('system calls: a guard is covered by the whole call', () => {
    const deny = (...names: string[]): Policy => ({ ...low, syscalls: { deny: names.map((name) => ({ name })) } });
    expect(whats(deny('bpf', 'ioctl(tiocsti)'), deny('ioctl'))).toEqual(['call bpf']);
    expect(whats(deny('ioctl'), deny('ioctl(tiocsti)'))).toEqual(['call ioctl']);
    expect(whats(deny('clone3'), deny('clone(namespaces)'))).toEqual([]);
  });

  it('tools: verdicts and arguments', () => {
    const a = withTools([
      { tool: 'x', verdict: 'ask' },
      { tool: 'y', verdict: 'allow', arguments: { path: { pattern: '^/tmp' } } },
    ]);
    const b = withTools([
      { tool: 'x', verdict: 'allow' },
      { tool: 'y', verdict: 'allow' },
      { tool: 'z', verdict: 'deny' },
    ]);
    expect(whats(a, b)).toEqual(['allow the tool x', 'other arguments for the tool y']);
    expect(whats(a, low)).toEqual(['every tool']);
    expect(whats(low, a)).toEqual([]);
  });

  it('finds nothing between equals, and no two different tiers are equal both ways', () => {
    const tier = fc.constantFrom(...tiers);
    fc.assert(
      fc.property(tier, tier, (one, other) => {
        const [a, b] = [tierPolicy(one), tierPolicy(other)];
        const isEqual = diffPolicies(a, b).length === 0 && diffPolicies(b, a).length === 0;
        expect(isEqual).toBe(fingerprintPolicy(a) === fingerprintPolicy(b));
      }),
    );
  });
});
