import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { nameOfSubnets, planHostRules } from './plan.ts';
import { hostileAddresses, hostileNames, sampleOptions, sampleReach } from './sample-rules.ts';

describe('what rules are made of', () => {
  it('is in order, in one spelling and without what lies in something else', () => {
    const ranges = ['2001:DB8:0::5', '10.1.2.3/8', '10.9.9.9', '9.9.9.9', '9.9.9.9/32', '2001:db8::/64'];
    const ports = [
      { from: 90, to: 95 },
      { from: 80, to: 91 },
      { from: 96, to: 96 },
    ];
    const plan = planHostRules({ ...sampleReach, ranges, ports }, sampleOptions);
    expect(plan.targets).toEqual({ 4: ['9.9.9.9', '10.0.0.0/8'], 6: ['2001:db8::/64'] });
    expect(plan.ports).toEqual([{ from: 80, to: 96 }]);
    expect(planHostRules({ ...sampleReach, ports: 'all' }, sampleOptions).ports).toEqual([{ from: 1, to: 65_535 }]);
  });

  it('says what rules cannot give', () => {
    const { notes, targets } = planHostRules(
      { ...sampleReach, ranges: ['127.0.0.1', '::1', '192.0.2.1'] },
      { ...sampleOptions, bridge: null },
    );
    expect(targets).toEqual({ 4: ['192.0.2.1'], 6: [] });
    expect(notes).toEqual([
      expect.stringMatching(/^127\.0\.0\.1 is the container's own/),
      expect.stringMatching(/^::1 is the container's own/),
      expect.stringContaining('--bridge'),
    ]);
  });

  it('has a name that does not depend on order or spelling', () => {
    expect(nameOfSubnets(['fd28:0::/64', '172.28.0.9/24'])).toBe(nameOfSubnets(['172.28.0.0/24', 'fd28::/64']));
    expect(nameOfSubnets(['172.28.0.0/24'])).not.toBe(nameOfSubnets(['172.28.0.0/25']));
  });

  const planWith = (options: Partial<typeof sampleOptions>) => () =>
    planHostRules(sampleReach, { ...sampleOptions, ...options });

  it.each(hostileAddresses)('refuses %j as a subnet and as a resolver', (text) => {
    expect(planWith({ subnets: [text] })).toThrow(UsageError);
    expect(planWith({ resolvers: [text] })).toThrow(UsageError);
  });

  it.each(hostileNames)('refuses %j as a bridge and as a network', (text) => {
    expect(planWith({ bridge: text })).toThrow(UsageError);
    expect(planWith({ name: text })).toThrow(UsageError);
  });

  it.each(['lo', 'a'.repeat(16)])('refuses %j as a bridge', (text) => {
    expect(planWith({ bridge: text })).toThrow(UsageError);
  });

  const faults: readonly (readonly [string, Partial<typeof sampleReach>, Partial<typeof sampleOptions>])[] = [
    ['nothing to hold', {}, { subnets: [], bridge: null }],
    ['a name as a target', { ranges: ['example.com'] }, {}],
    ['rules as a target', { ranges: ['10.0.0.1 }\nflush ruleset'] }, {}],
    ['IPv4 inside of IPv6', { ranges: ['::ffff:10.0.0.0/104'] }, {}],
    ['port 0', { ports: [{ from: 0, to: 80 }] }, {}],
    ['ports backwards', { ports: [{ from: 90, to: 80 }] }, {}],
    ['a port too high', { ports: [{ from: 1, to: 65_536 }] }, {}],
    ['half a port', { ports: [{ from: 1.5, to: 2 }] }, {}],
    ['a fingerprint with a quote', { fingerprint: `${'a'.repeat(63)}"` }, {}],
    ['too many targets', { ranges: Array.from({ length: 5000 }, () => '10.0.0.1') }, {}],
    ['too many subnets', {}, { subnets: Array.from({ length: 17 }, (_, at) => `10.${at}.0.0/16`) }],
    ['a subnet that is nearly everything', {}, { subnets: ['8.0.0.0/7'] }],
  ];
  it.each(faults)('refuses %s', (_, reach, options) => {
    expect(() => planHostRules({ ...sampleReach, ...reach }, { ...sampleOptions, ...options })).toThrow(UsageError);
  });
});
