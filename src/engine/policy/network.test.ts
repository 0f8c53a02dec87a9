import { describe, expect, it } from 'vitest';
import type { NetworkRule, Policy } from '../../base/policy-schema.ts';
import {
  allowsConnection,
  canonicalHost,
  describeEndpoint,
  endpointIndex,
  isEndpointCovered,
  isUnrestricted,
} from './network.ts';
import { tierPolicy } from './tiers.ts';

function policyWith(rules: NetworkRule[], mode: Policy['network']['mode'] = 'allowlist'): Policy {
  return { ...tierPolicy('LOW'), network: { mode, rules } };
}

describe('canonicalHost', () => {
  it.each([
    ['API.Example.COM', 'api.example.com'],
    ['example.com.', 'example.com'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::0001', '2001:db8::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['exa\u200bmple.com', 'example.com'],
    ['ｅxample.com', 'example.com'],
    ['*', '*'],
  ])('%s is %s', (host, expected) => {
    expect(canonicalHost(host)).toBe(expected);
  });
});

describe('allowsConnection', () => {
  const rules: NetworkRule[] = [
    { host: 'api.example.com', port: 443 },
    { host: '.suffix.org', port: 443 },
    { host: 'any.port.net', port: '*' },
    { host: '*', port: 8080 },
    { host: '10.0.0.1', port: 25 },
    { host: '2001:db8::1', port: 25 },
    { host: '.0.0.9', port: 25 },
  ];
  it.each([
    ['api.example.com', 443, true],
    ['API.EXAMPLE.COM.', 443, true],
    ['api.example.com', 80, false],
    ['xapi.example.com', 443, false],
    ['a.api.example.com', 443, false],
    ['suffix.org', 443, true],
    ['a.b.suffix.org', 443, true],
    ['notsuffix.org', 443, false],
    ['suffix.org.evil.com', 443, false],
    ['any.port.net', 1, true],
    ['whoever.net', 8080, true],
    ['203.0.113.5', 8080, true],
    ['10.0.0.1', 25, true],
    ['::ffff:10.0.0.1', 25, true],
    ['10.0.0.9', 25, false],
    ['2001:db8:0:0::1', 25, true],
    ['', 8080, false],
    ['*', 8080, false],
    ['.suffix.org', 443, false],
  ])('%s:%i %s', (host, port, expected) => {
    expect(allowsConnection(policyWith(rules), host, port)).toBe(expected);
  });

  it.each(['none', 'fake'] as const)('allows nothing in the mode %s', (mode) => {
    expect(allowsConnection(policyWith([{ host: '*', port: '*' }], mode), 'example.com', 443)).toBe(false);
    expect(isUnrestricted(policyWith([{ host: '*', port: '*' }], mode))).toBe(false);
  });
});

describe('isEndpointCovered', () => {
  it.each([
    ['*', '*', 'a.com', 443, true],
    ['*', 443, 'a.com', 443, true],
    ['*', 443, 'a.com', '*', false],
    ['.b.com', 443, 'a.b.com', 443, true],
    ['.b.com', 443, '.a.b.com', 443, true],
    ['.b.com', 443, 'b.com', 443, true],
    ['b.com', 443, '.b.com', 443, false],
    ['.com', '*', '.b.com', '*', true],
    ['a.com', '*', 'a.com', 1, true],
    ['a.com', 1, '*', 1, false],
    ['.1', 80, '10.0.0.1', 80, false],
  ] as const)('%s:%s covers %s:%s: %s', (wideHost, widePort, host, port, expected) => {
    expect(isEndpointCovered(endpointIndex([{ host: wideHost, port: widePort }]), { host, port })).toBe(expected);
  });
});

describe('describeEndpoint', () => {
  it.each([
    [{ host: '*', port: '*' } as const, '*'],
    [{ host: '::1', port: 443 }, '[::1]:443'],
    [{ host: '.a.com', port: '*' } as const, '.a.com:*'],
  ])('%j is %s', (endpoint, expected) => {
    expect(describeEndpoint(endpoint)).toBe(expected);
  });
});
