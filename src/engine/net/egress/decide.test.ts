import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../../policy/index.ts';
import { addressBytes } from '../addresses.ts';
import { decideEgress } from './decide.ts';
import { effectiveHost } from './effective-host.ts';
import { specialKind } from './special-address.ts';

function policyWith(rules: readonly NetworkRule[], mode: Policy['network']['mode'] = 'allowlist'): Policy {
  return { ...tierPolicy('LOW'), network: { mode, rules: [...rules] } };
}

const api: NetworkRule = { host: 'api.example.com', port: 443 };
const everybody: NetworkRule = { host: '*', port: '*' };
const publicAddress = '93.184.216.34';

describe('decideEgress', () => {
  it.each([
    ['a listed name', [api], 'api.example.com', 443, publicAddress, 'allowed'],
    ['another spelling of it', [api], 'API.Example.com.', 443, publicAddress, 'allowed'],
    ['an IPv6 address', [api], 'api.example.com', 443, '2606:4700::1111', 'allowed'],
    ['another port', [api], 'api.example.com', 80, publicAddress, 'not-listed'],
    ['another name', [api], 'evil.example.com', 443, publicAddress, 'not-listed'],
    ['a name that only ends alike', [api], 'xapi.example.com', 443, publicAddress, 'not-listed'],
    ['a listed name with an end of its own', [api], 'api.example.com.evil.example', 443, publicAddress, 'not-listed'],
    ['a suffix', [{ host: '.example.com', port: 443 }], 'a.b.example.com', 443, publicAddress, 'allowed'],
    ['no host', [everybody], '', 443, publicAddress, 'not-listed'],
    ['a host with a NUL', [everybody], 'api.example.com\0.evil', 443, publicAddress, 'not-listed'],
    ['a host with a slash', [everybody], 'a/b', 443, publicAddress, 'not-listed'],
    ['a user in front', [everybody], 'a@b', 443, publicAddress, 'not-listed'],
    ['port 0', [everybody], 'a.example', 0, publicAddress, 'port'],
    ['port 65536', [everybody], 'a.example', 65_536, publicAddress, 'port'],
    ['half a port', [everybody], 'a.example', 1.5, publicAddress, 'port'],
    ['no address', [api], 'api.example.com', 443, '', 'not-an-address'],
    ['a name for an address', [api], 'api.example.com', 443, 'other.example', 'not-an-address'],
    ['an address with a zone', [api], 'api.example.com', 443, 'fe80::1%eth0', 'not-an-address'],
    ['a decimal number for an address', [api], 'api.example.com', 443, '2130706433', 'not-an-address'],
    ['a name that points to loopback', [api], 'api.example.com', 443, '127.0.0.1', 'special-address'],
    ['a name that points into a private network', [api], 'api.example.com', 443, '192.168.1.1', 'special-address'],
    ['a name that points to metadata', [api], 'api.example.com', 443, '169.254.169.254', 'special-address'],
    ['a name that points to wrapped loopback', [api], 'api.example.com', 443, '::ffff:127.0.0.1', 'special-address'],
    ['everybody, and a private address', [everybody], '10.0.0.1', 443, '10.0.0.1', 'special-address'],
    ['everybody, and a name', [everybody], 'any.example', 1, publicAddress, 'allowed'],
    ['everybody, and a decimal loopback', [everybody], '2130706433', 80, '127.0.0.1', 'special-address'],
    ['everybody, and a hexadecimal one', [everybody], '0x7f.1', 80, '127.0.0.1', 'special-address'],
    ['an address that was named', [{ host: '10.0.0.1', port: 5432 }], '10.0.0.1', 5432, '10.0.0.1', 'allowed'],
    ['it, wrapped', [{ host: '10.0.0.1', port: 5432 }], '::ffff:a00:1', 5432, '::ffff:10.0.0.1', 'allowed'],
    ['it, as a number', [{ host: '10.0.0.1', port: '*' }], '167772161', 5432, '10.0.0.1', 'allowed'],
    [
      'it, on another port',
      [{ host: '10.0.0.1', port: 5432 }, everybody],
      '10.0.0.1',
      22,
      '10.0.0.1',
      'special-address',
    ],
    [
      'a named address and a name that points to it',
      [api, { host: '10.0.0.1', port: 443 }],
      'api.example.com',
      443,
      '10.0.0.1',
      'allowed',
    ],
    ['an address that became another', [everybody], '93.184.216.34', 443, '93.184.216.35', 'another-address'],
    ['localhost by name alone', [{ host: 'localhost', port: 80 }], 'localhost', 80, '127.0.0.1', 'special-address'],
  ] as const)('%s', (_, rules, host, port, resolved, expected) => {
    const decision = decideEgress(policyWith(rules), host, port, resolved);
    expect(decision.is === 'allowed' ? 'allowed' : decision.because).toBe(expected);
  });

  it.each(['none', 'fake'] as const)('allows nothing in mode %s', (mode) => {
    expect(decideEgress(policyWith([everybody], mode), 'a.example', 443, publicAddress)).toMatchObject({
      is: 'refused',
    });
  });

  it('gives the one spelling of the address to connect to', () => {
    expect(decideEgress(policyWith([api]), 'api.example.com', 443, '::ffff:93.184.216.34')).toEqual({
      is: 'allowed',
      address: publicAddress,
    });
  });

  it('never lets a box of a policy for everybody into a special address, however it is spelled', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), fc.oneof(fc.ipV4(), fc.ipV6()), (host, resolved) => {
        const decision = decideEgress(policyWith([everybody]), host, 443, resolved);
        if (decision.is === 'allowed') expect(specialKind(decision.address)).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('specialKind', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'carrier'],
    ['100.127.255.255', 'carrier'],
    ['100.128.0.0', null],
    ['127.255.255.254', 'loopback'],
    ['169.254.1.1', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['172.15.255.255', null],
    ['172.16.0.0', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.0', null],
    ['192.168.0.0', 'private'],
    ['192.169.0.0', null],
    ['198.19.255.255', 'benchmark'],
    ['198.20.0.0', null],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'reserved'],
    ['1.1.1.1', null],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:8.8.8.8', null],
    ['::127.0.0.1', 'loopback'],
    ['64:ff9b::a9fe:a9fe', 'metadata'],
    ['64:ff9b::808:808', null],
    ['2002:7f00:1::', 'loopback'],
    ['2002:808:808::', null],
    ['2001:0:1::1', 'reserved'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'metadata'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'private'],
    ['ff02::1', 'multicast'],
    ['2606:4700::1111', null],
    ['x', 'unreadable'],
  ])('%s is %s', (address, expected) => {
    expect(specialKind(address)).toBe(expected);
  });
});

describe('effectiveHost', () => {
  it.each([
    ['127.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['2852039166', '169.254.169.254'],
    ['127.0.0.1.', '127.0.0.1'],
    ['[::1]', '::1'],
    ['::FFFF:127.0.0.1', '127.0.0.1'],
    ['Example.COM', 'example.com'],
    ['a_b.example', 'a_b.example'],
    ['1.2.3.4.5', null],
    ['999.1', null],
    ['a b', null],
    ['a:80', null],
    ['%31', null],
    ['.', null],
    ['..', null],
    ['a..b', null],
    ['.a', null],
    ['', null],
  ])('%j means %j', (given, expected) => {
    expect(effectiveHost(given)).toBe(expected);
  });

  it('is an address or a name, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const host = effectiveHost(text);
        if (host !== null) expect(addressBytes(host) !== null || /^[a-z0-9._-]+$/.test(host)).toBe(true);
      }),
    );
  });
});
