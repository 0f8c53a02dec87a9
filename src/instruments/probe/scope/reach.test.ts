import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { specialKind, specialRanges } from '../../../engine/net/egress/special-address.ts';
import { rangeOfCidr } from './address-range.ts';
import { makeScope } from './load.ts';
import { allowsAddress, allowsPort, decideReach, namesAddress } from './reach.ts';
import { carriedAddress } from './special.ts';

const authorization = { by: 'the tests', reference: 'this file' };
const scopeOf = (targets: readonly string[], more: object = {}, addresses: readonly string[] = ['9.9.9.9']) =>
  makeScope(JSON.stringify({ authorization, targets, ...more }), 'scope.json', {
    environment: {},
    resolve: async () => addresses,
    now: 0,
  });

describe('addresses', () => {
  it.each<[readonly string[], string, boolean]>([
    [['127.0.0.1'], '127.0.0.1', true],
    [['127.0.0.1'], '::ffff:127.0.0.1', true],
    [['127.0.0.1'], '127.0.0.2', false],
    [['127.0.0.1'], '::1', false],
    [['127.0.0.0/8'], '127.9.9.9', true],
    [['10.0.0.0/24'], '10.0.0.255', true],
    [['10.0.0.0/24'], '10.0.1.0', false],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/7'], '10.0.0.1', false],
    [['10.0.0.0/7'], '11.0.0.1', true],
    [['8.0.0.0/5'], '10.0.0.1', false],
    [['8.0.0.0/5'], '8.8.8.8', true],
    [['8.0.0.0/5', '10.0.0.1'], '10.0.0.1', true],
    [['0.0.0.0/0'], '1.1.1.1', true],
    [['0.0.0.0/0'], '127.0.0.1', false],
    [['0.0.0.0/0'], '192.168.1.1', false],
    [['0.0.0.0/0'], '0.0.0.0', false],
    [['0.0.0.0/0'], '224.0.0.1', false],
    [['0.0.0.0/0'], '169.254.169.254', false],
    [['0.0.0.0/0'], '168.63.129.16', false],
    [['0.0.0.0/0'], '2606:4700::1', false],
    [['169.254.0.0/16'], '169.254.1.1', true],
    [['169.254.0.0/16'], '169.254.169.254', false],
    [['169.254.169.254/31'], '169.254.169.254', false],
    [['169.254.169.254/32'], '169.254.169.254', true],
    [['169.254.169.254'], '169.254.169.254', true],
    [['100.64.0.0/10'], '100.100.100.200', false],
    [['100.64.0.0/10'], '100.64.0.1', true],
    [['::/0'], '2606:4700::1', true],
    [['::/0'], '::1', false],
    [['::/0'], 'fe80::1', false],
    [['::/0'], 'fd00:ec2::254', false],
    [['::/0'], '64:ff9b::808:808', false],
    [['::/0'], '2002:808:808::', false],
    [['fd00::/8'], 'fd00::1', true],
    [['fd00::/8'], 'fd00:ec2::254', false],
    [['fd00:ec2::254'], 'fd00:ec2::254', true],
    [['::1'], '::1', true],
    [['2001:db8::/64'], '2001:db8::ffff', true],
    [['2001:db8::/64'], '2001:db8:0:1::', false],
    [['127.0.0.1'], 'localhost', false],
    [['127.0.0.1'], '127.1', false],
    [['::1'], '::1%lo', false],
    [['127.0.0.1'], '', false],
  ])('%s and %s: %s', async (targets, address, isAllowed) => {
    const scope = await scopeOf(targets);
    expect(allowsAddress(scope, address)).toBe(isAllowed);
    expect(namesAddress(scope, address)).toBe(isAllowed);
    expect(decideReach(scope, address, 80).is).toBe(isAllowed ? 'allowed' : 'refused');
  });

  it('a range over everything opens no special address at all', async () => {
    const scope = await scopeOf(['0.0.0.0/0', '::/0']);
    for (const [range] of specialRanges)
      expect([range, allowsAddress(scope, range.split('/')[0] ?? '')]).toEqual([range, false]);
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        if (specialKind(address) !== null) expect(allowsAddress(scope, address)).toBe(false);
      }),
      { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) },
    );
  });

  it.each(['::ffff:a.b.c.d', '::ffff:0:a.b.c.d', '::a.b.c.d', '64:ff9b::a.b.c.d', '64:ff9b:1::a.b.c.d'])(
    'knows the same carriers as the gate: %s',
    (form) => {
      const address = form.replace('a.b.c.d', '127.9.8.7');
      expect(specialKind(address)).toBe('loopback');
      const range = rangeOfCidr(`${address}/128`);
      expect(range === null ? null : carriedAddress(range)).toBe('127.9.8.7');
    },
  );

  it('an address that a name leads to can be reached, and is not named', async () => {
    const scope = await scopeOf(['api.example.com']);
    expect(allowsAddress(scope, '9.9.9.9')).toBe(true);
    expect(namesAddress(scope, '9.9.9.9')).toBe(false);
    expect(allowsAddress(scope, '9.9.9.8')).toBe(false);
  });
});

describe('decideReach', () => {
  it.each<[string, number, string, RegExp]>([
    ['localhost', 80, 'not-an-address', /no address/],
    ['2002:808:808::', 80, 'carried-address', /carries an IPv4/],
    ['1.2.3.4', 80, 'not-listed', /does not list 1\.2\.3\.4/],
    ['10.0.0.1', 80, 'special-address', /private address, and the scope does not name it as such/],
    ['9.9.9.9', 81, 'port', /port 81/],
    ['9.9.9.9', 0, 'port', /port 0/],
    ['9.9.9.9', 80.5, 'port', /port/],
    ['9.9.9.9', Number.NaN, 'port', /port/],
  ])('%s port %s', async (address, port, because, detail) => {
    const scope = await scopeOf(['8.0.0.0/5', '2000::/3'], { ports: [80, '8000-8010'] });
    expect(decideReach(scope, address, port)).toEqual({
      is: 'refused',
      because,
      detail: expect.stringMatching(detail),
    });
    expect(decideReach(scope, '9.9.9.9', 8010)).toEqual({ is: 'allowed' });
  });

  it('has all ports where none are given', async () => {
    const scope = await scopeOf(['127.0.0.1']);
    expect([0, 1, 65_535, 65_536].map((port) => allowsPort(scope, port))).toEqual([false, true, true, false]);
  });
});
