import { describe, expect, it } from 'vitest';
import { canonicalPaths } from '../../../engine/net/http-bridge/canonical-paths.ts';
import { makeScope } from './load.ts';
import { objectToRequest, type ScopedRequest } from './request.ts';

const authorization = { by: 'the tests', reference: 'this file' };
const scopeOf = (fields: object) =>
  makeScope(JSON.stringify({ authorization, ...fields }), 'scope.json', {
    environment: {},
    resolve: async () => ['9.9.9.9'],
    now: 0,
  });
const open = await scopeOf({ targets: ['127.0.0.1', '::1', 'api.example.com'] });
const narrow = await scopeOf({
  targets: ['127.0.0.1', 'api.example.com'],
  ports: [80, 443],
  urls: ['https://api.example.com/v1', 'http://127.0.0.1'],
  methods: ['GET', 'PROPFIND'],
});

const usual: ScopedRequest = { scheme: 'https', host: 'api.example.com', port: 443, method: 'GET', paths: ['/v1/a'] };

describe('requests of a scope without limits', () => {
  it.each<Partial<ScopedRequest>>([
    {},
    { method: 'DELETE' },
    { paths: ['/../x'] },
    { paths: [] },
    { paths: ['*'], method: 'OPTIONS' },
    { host: '127.0.0.1', port: 1, scheme: 'http' },
    { host: '::1' },
  ])('%o is in', (change) => {
    expect(objectToRequest(open, { ...usual, ...change })).toBeNull();
  });

  it.each<[Partial<ScopedRequest>, RegExp]>([
    [{ host: 'example.com' }, /host "example.com" is not in the scope/],
    [{ host: '9.9.9.9' }, /host "9.9.9.9" is not/],
    [{ host: 'API.example.com' }, /host/],
    [{ host: '127.1' }, /host/],
    [{ host: '::ffff:127.0.0.1' }, /host/],
    [{ host: '' }, /host ""/],
    [{ host: 'api.example.com\r\nX' }, /host "api.example.com\\x0d\\x0aX"/],
    [{ port: 0 }, /port 0/],
    [{ method: 'CONNECT' }, /CONNECT/],
    [{ method: 'connect' }, /CONNECT/],
    [{ method: 'GET ' }, /no method/],
    [{ method: '' }, /no method/],
  ])('%o is out', (change, reason) => {
    expect(objectToRequest(open, { ...usual, ...change })).toMatch(reason);
  });
});

describe('requests of a scope with limits', () => {
  it.each<Partial<ScopedRequest>>([
    {},
    { paths: ['/v1'] },
    { paths: ['/v1?x=/v2', '/v1/'] },
    { method: 'PROPFIND' },
    { scheme: 'http', host: '127.0.0.1', port: 80, paths: ['/any'] },
  ])('%o is in', (change) => {
    expect(objectToRequest(narrow, { ...usual, ...change })).toBeNull();
  });

  it.each<[Partial<ScopedRequest>, RegExp]>([
    [{ method: 'POST' }, /method POST is not in the scope, which has GET, PROPFIND/],
    [{ method: 'get' }, /method get/],
    [{ port: 8443 }, /port 8443/],
    [{ paths: ['/v10'] }, /"\/v10" is below no URL/],
    [{ paths: ['/'] }, /below no URL/],
    [{ paths: ['*'] }, /below no URL/],
    [{ paths: [''] }, /below no URL/],
    [{ paths: [] }, /no path/],
    [{ paths: ['/v1/a', '/admin'] }, /"\/admin" is below no URL/],
    [{ paths: ['/v1/../admin'] }, /dot segment/],
    [{ paths: ['/v1/%2e%2e/admin'] }, /dot segment in encoded form/],
    [{ paths: ['/v1/..\\admin'] }, /dot segment/],
    [{ paths: ['/v1/\u001b'] }, /control character/],
    [{ scheme: 'http' }, /below no URL/],
    [{ port: 80 }, /below no URL/],
    [{ host: '127.0.0.1' }, /below no URL/],
    [{ paths: [`/${'x'.repeat(10_000)}`] }, /^.{1,250}$/s],
  ])('%o is out', (change, reason) => {
    expect(objectToRequest(narrow, { ...usual, ...change })).toMatch(reason);
  });
});

describe('prefixes that servers read in several ways', () => {
  it.each([
    ['/a%20b', '/a%20b/x', true],
    ['/a%20b', '/a%20bc', false],
    ['/caf%C3%A9', '/caf%C3%A9/x', true],
    ['/caf%C3%A9', '/caf%c3%a9/x', true],
    ['/a%2Fb', '/a%2Fb/x', true],
    ['/a%2Fb', '/a/b/x', false],
    ['/v1;x', '/v1;x/y', true],
    ['/v1;x', '/v1/y', false],
    ['/v1;x', '/v1;x/..;/y', false],
    ['/a//b', '/a//b/c', true],
    ['/a//b', '/a/b/c', false],
    ['/a%7Eb', '/a%7Eb/x', true],
    ['/v1', '/v1/a%2Fb', true],
    ['/v1', '/v1%2Fb', false],
    ['/', '/any', true],
  ])('%s and %s: %s', async (prefix, path, isIn) => {
    const scope = await scopeOf({ targets: ['127.0.0.1'], urls: [`http://127.0.0.1${prefix}`] });
    const request = { ...usual, scheme: 'http', host: '127.0.0.1', port: 80, paths: canonicalPaths(path) } as const;
    expect(objectToRequest(scope, request) === null).toBe(isIn);
  });
});
