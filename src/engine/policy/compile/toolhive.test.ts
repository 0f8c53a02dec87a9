import { describe, expect, it } from 'vitest';
import { type Policy, tiers } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { compileToolHive } from './toolhive.ts';

type Rules = Policy['network']['rules'];

function withRules(rules: Rules, mode: Policy['network']['mode'] = 'allowlist') {
  const { value, gaps } = compileToolHive({ ...tierPolicy('LOW'), network: { mode, rules } });
  return { ...value.network.outbound, gaps: gaps.map(({ id, effect }) => `${effect} ${id}`) };
}

function rule(text: string): Rules[number] {
  const at = text.lastIndexOf(' ');
  const port = text.slice(at + 1);
  return { host: text.slice(0, at), port: port === '*' ? '*' : Number(port) };
}

describe('compileToolHive', () => {
  it.each([
    [['a.com 443'], ['a.com'], [443], false],
    [['a.com 443', 'b.com 443'], ['a.com', 'b.com'], [443], false],
    [['a.com 443', 'b.com 80'], ['a.com', 'b.com'], [80, 443], true],
    [['a.com *'], ['a.com'], [], false],
    [['a.com *', 'b.com 80'], ['a.com', 'b.com'], [], true],
    [['.example.com 443'], ['.example.com'], [443], false],
    [['* 443', '* 80'], [], [80, 443], false],
  ])('%j becomes hosts %j on ports %j', (rules, hosts, ports, isWider) => {
    const { allow_host, allow_port, insecure_allow_all, gaps } = withRules(rules.map(rule));
    expect([allow_host, allow_port, insecure_allow_all]).toEqual([hosts, ports, false]);
    expect(gaps.includes('open network-product')).toBe(isWider);
  });

  it('opens no port to everybody for the sake of one host', () => {
    const { allow_host, allow_port, gaps } = withRules(['* 443', 'db.example.com 5432', 'a.com 443'].map(rule));
    expect([allow_host, allow_port]).toEqual([[], [443]]);
    expect(gaps.filter((gap) => gap === 'closed network-rule')).toHaveLength(1);
  });

  it('never has two empty lists for a host that is left out', () => {
    const { allow_host, allow_port, insecure_allow_all, gaps } = withRules([rule('2001:db8::1 443')]);
    expect([allow_host, allow_port, insecure_allow_all]).toEqual([[], [], false]);
    expect(gaps).toContain('closed network-rule');
  });

  it.each(['none', 'fake'] as const)('has no network for %s', (mode) => {
    const { allow_host, allow_port, insecure_allow_all } = withRules([rule('a.com 443')], mode);
    expect([allow_host, allow_port, insecure_allow_all]).toEqual([[], [], false]);
  });

  it('allows everything only where the policy does', () => {
    expect(tiers.map((tier) => compileToolHive(tierPolicy(tier)).value.network.outbound.insecure_allow_all)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('mounts paths of the host that are not of the system', () => {
    const files: Policy['files'] = [
      { path: '/usr', access: 'execute' },
      { path: '/srv/data', access: 'write' },
      { path: '/srv/data/in', access: 'read' },
      { path: '/opt/models/', access: 'read' },
      { path: '/etc/secret', access: 'write' },
      { path: '{tmp}', access: 'write' },
    ];
    const { value, gaps } = compileToolHive({ ...tierPolicy('LOW'), files });
    expect([value.read, value.write]).toEqual([['/opt/models'], ['/srv/data']]);
    expect(gaps).toContainEqual(
      expect.objectContaining({ id: 'image-files', what: expect.stringMatching(/^2 paths/) }),
    );
  });

  it.each(['/a:b', '/a;b', '/a$b', '/a`b', '/a\nb'])('does not mount %j', (path) => {
    const { value, gaps } = compileToolHive({ ...tierPolicy('LOW'), files: [{ path, access: 'read' }] });
    expect(value.read).toEqual([]);
    expect(gaps).toContainEqual(expect.objectContaining({ id: 'path-characters', path: 'files[0]', effect: 'closed' }));
  });
});
