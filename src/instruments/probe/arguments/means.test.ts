import { describe, expect, it } from 'vitest';
import { makeScope } from '../scope/load.ts';
import { aimMeans } from './means.ts';

const authorization = { by: 'the tests', reference: 'this file' };

function means(fields: object) {
  const addresses: Readonly<Record<string, readonly string[]>> = {
    'api.example.com': ['198.51.100.7', '2001:db8::7'],
    'xn--bcher-kva.example': ['198.51.100.8'],
  };
  return makeScope(JSON.stringify({ authorization, ...fields }), 'scope.json', {
    environment: {},
    resolve: async (name) => addresses[name] ?? [],
    now: 0,
  }).then(aimMeans);
}

const open = await means({
  targets: [
    '127.0.0.1',
    '::1',
    '10.0.0.0/24',
    'api.example.com',
    'xn--bcher-kva.example',
    '198.51.100.0/24',
    '2001:db8::/64',
  ],
});
const narrow = await means({
  targets: ['127.0.0.1', '::1'],
  ports: ['8000-8100', 80, 443, 81],
  urls: ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8001/a/', 'HTTPS://127.0.0.1'],
  methods: ['GET', 'PROPFIND'],
});

describe('target', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['::1', ['::1']],
    ['10.0.0.255', ['10.0.0.255']],
    ['2001:db8::7', ['2001:db8::7']],
    ['api.example.com', ['198.51.100.7', '2001:db8::7']],
    ['xn--bcher-kva.example', ['198.51.100.8']],
  ])('%s', (host, addresses) => {
    expect(open.target(host)).toEqual({ host, addresses });
  });

  it('takes no address that only a name led to, and says which name', async () => {
    const { target } = await means({ targets: ['198.51.100.8', 'xn--bcher-kva.example'] });
    expect(target('198.51.100.8').addresses).toEqual(['198.51.100.8']);
    // A public address, so that the name alone opens it.
    const named = aimMeans(
      await makeScope(JSON.stringify({ authorization, targets: ['a.example'] }), 'x', {
        environment: {},
        resolve: async () => ['9.9.9.9'],
        now: 0,
      }),
    );
    expect(named.target('a.example').addresses).toEqual(['9.9.9.9']);
    expect(() => named.target('9.9.9.9')).toThrow(
      expect.objectContaining({ code: 'OUT_OF_SCOPE', hint: 'Give the name: a.example.' }),
    );
  });
});

describe('ports', () => {
  it.each([
    ['80', [[80, 80]]],
    ['1-65535', [[1, 65_535]]],
    [
      '443,80',
      [
        [80, 80],
        [443, 443],
      ],
    ],
    ['80,81,82', [[80, 82]]],
    [
      '1-10,5-20,30,30',
      [
        [1, 20],
        [30, 30],
      ],
    ],
    [
      '65535,1',
      [
        [1, 1],
        [65_535, 65_535],
      ],
    ],
  ])('%s', (text, ranges) => {
    expect(open.ports(text)).toEqual(ranges.map(([from, to]) => ({ from, to })));
  });

  it.each([
    ['80-81', [[80, 81]]],
    [
      '443,8050-8100',
      [
        [443, 443],
        [8050, 8100],
      ],
    ],
  ])('%s in a scope with few ports', (text, ranges) => {
    expect(narrow.ports(text)).toEqual(ranges.map(([from, to]) => ({ from, to })));
  });

  it('cuts a wide wish to what the scope has', () => {
    expect(narrow.portsWithin('1-8010')).toEqual([
      { from: 80, to: 81 },
      { from: 443, to: 443 },
      { from: 8000, to: 8010 },
    ]);
    expect(open.portsWithin('1-1000')).toEqual([{ from: 1, to: 1000 }]);
    expect(narrow.portsWithin('1-79')).toEqual(narrow.portsWithin('1-65535'));
    expect(() => narrow.portsWithin('1,,2')).toThrow('a part of it is empty');
  });
});

describe('url', () => {
  it.each([
    ['http://127.0.0.1', 'http://127.0.0.1/', '127.0.0.1', 80],
    ['HTTP://127.0.0.1:80/', 'http://127.0.0.1/', '127.0.0.1', 80],
    ['https://127.0.0.1', 'https://127.0.0.1/', '127.0.0.1', 443],
    [
      'https://api.example.com:8443/v1/a?b=c&d[]=%20',
      'https://api.example.com:8443/v1/a?b=c&d[]=%20',
      'api.example.com',
      8443,
    ],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x', '::1', 8080],
    ["http://127.0.0.1/a'b?c='d", "http://127.0.0.1/a'b?c=%27d", '127.0.0.1', 80],
    ['http://127.0.0.1/.well-known/x..y/...', 'http://127.0.0.1/.well-known/x..y/...', '127.0.0.1', 80],
    ['http://127.0.0.1/?next=../x', 'http://127.0.0.1/?next=../x', '127.0.0.1', 80],
    ['http://127.0.0.1//double//slash', 'http://127.0.0.1//double//slash', '127.0.0.1', 80],
    ['http://127.0.0.1/caf%C3%A9', 'http://127.0.0.1/caf%C3%A9', '127.0.0.1', 80],
    ['http://127.0.0.1/?', 'http://127.0.0.1/?', '127.0.0.1', 80],
  ])('%s', (text, url, host, port) => {
    expect(open.url(text)).toMatchObject({ label: url, url, host, ports: [{ from: port, to: port }] });
  });

  it('goes to the addresses that the name was pinned to', () => {
    expect(open.url('https://api.example.com/').addresses).toEqual(['198.51.100.7', '2001:db8::7']);
  });

  it.each([
    'http://127.0.0.1:8000/v1',
    'http://127.0.0.1:8000/v1?x=/v2',
    'http://127.0.0.1:8000/v1/',
    'http://127.0.0.1:8000/v1/a/b',
    'http://127.0.0.1:8001/a/',
    'http://127.0.0.1:8001/a/b',
    'https://127.0.0.1/any',
  ])('below a prefix: %s', (text) => {
    expect(narrow.url(text).url).toBe(text);
  });

  it.each(['http://127.0.0.1:8001/a', 'http://127.0.0.1:8000/v1;x', 'http://127.0.0.1/', 'http://[::1]:8000/v1'])(
    'below none: %s',
    (text) => {
      expect(() => narrow.url(text)).toThrow('is below no URL of the scope');
    },
  );

  it.each([
    'http://127.0.0.1:8000/v1/FUZZ',
    'http://127.0.0.1:8000/v1/.FUZZ',
    'http://127.0.0.1:8000/v1/aFUZZb/c',
    'http://127.0.0.1:8000/v1?a=FUZZ',
    'https://127.0.0.1/FUZZ',
  ])('with a marker: %s', (text) => {
    expect(narrow.url(text, { marker: 'FUZZ' }).url).toBe(text);
  });
});

describe('method', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s', (method) => {
    expect(open.method(method)).toBe(method);
  });

  it('keeps to the scope', () => {
    expect(narrow.method('GET')).toBe('GET');
    expect(() => narrow.method('HEAD')).toThrow('does not list this method');
  });
});

it('tells the limits of the scope', () => {
  expect(open.limits).toEqual({ urls: [], methods: [] });
  expect(narrow.limits).toEqual({
    urls: ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8001/a/', 'https://127.0.0.1/'],
    methods: ['GET', 'PROPFIND'],
  });
});
