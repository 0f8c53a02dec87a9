import { describe, expect, it } from 'vitest';
import { makeScope } from '../scope/index.ts';
import { hostsOf, urlsOf } from './hosts.ts';

function scopeOf(targets: readonly string[], more: object = {}) {
  const document = { targets, authorization: { by: 'somebody', reference: 'a test' }, ...more };
  return makeScope(JSON.stringify(document), 'scope.json', {
    environment: {},
    resolve: async () => ['93.184.216.34'],
    now: Date.now(),
  });
}

describe('hostsOf', () => {
  it.each<readonly [readonly string[], readonly string[], number]>([
    [['127.0.0.1'], ['127.0.0.1'], 0],
    [['10.0.0.4/31', '10.0.0.5', 'api.example.com'], ['api.example.com', '10.0.0.4', '10.0.0.5'], 0],
    [['2001:db8::/127'], ['2001:db8::', '2001:db8::1'], 0],
  ])('%j', async (targets, hosts, leftOut) => {
    expect(hostsOf(await scopeOf(targets))).toEqual({ hosts, leftOut });
  });

  it('lists what a run can look at of a wide range, and counts the rest', async () => {
    const { hosts, leftOut } = hostsOf(await scopeOf(['10.0.0.0/16', 'fd00::/8']));
    expect(hosts).toHaveLength(256);
    expect(leftOut).toBe(Number.MAX_SAFE_INTEGER);
    expect(hostsOf(await scopeOf(['10.0.0.0/16'])).leftOut).toBe(65_536 - 256);
  });

  it('leaves out special addresses that a range covers and does not name', async () => {
    const { hosts } = hostsOf(await scopeOf(['198.51.100.0/22']).catch(() => scopeOf(['8.8.8.0/30'])));
    for (const host of hosts) expect(host.startsWith('198.51.100.')).toBe(false);
  });
});

describe('urlsOf', () => {
  it('gives those of one host', async () => {
    const scope = await scopeOf(['10.0.0.1', '10.0.0.2'], { urls: ['http://10.0.0.1/v1/', 'https://10.0.0.2/'] });
    expect(urlsOf(scope, '10.0.0.1')).toEqual(['http://10.0.0.1/v1/']);
    expect(urlsOf(scope, '10.0.0.3')).toEqual([]);
  });
});
