import { describe, expect, it } from 'vitest';
import { coveredUrl } from './coverage.ts';

const bounds = {
  host: 'api.example.test',
  ports: [
    { from: 443, to: 443 },
    { from: 8000, to: 8010 },
  ],
  limits: { urls: ['https://api.example.test/v1', 'https://api.example.test:8001/open/'], methods: ['GET', 'POST'] },
};

describe('what a request may reach', () => {
  it.each([
    'https://api.example.test/v1',
    'https://api.example.test/v1/',
    'https://API.example.test:443/v1/items?x=../..',
    'https://api.example.test/v1?next=/admin',
    'https://api.example.test/v1/a/../b',
    'https://api.example.test/v1/a%20b/%2e/c',
    'https://api.example.test:8001/open/a',
  ])('covers %s', (url) => {
    expect(coveredUrl(url, 'GET', bounds).hostname).toBe('api.example.test');
  });

  it.each([
    ['https://api.example.test/v10', 'path'],
    ['https://api.example.test/', 'path'],
    ['https://api.example.test/V1/a', 'path'],
    ['https://api.example.test/v1/../admin', 'path'],
    ['https://api.example.test/v1/%2e%2e/admin', 'path'],
    ['https://api.example.test/v1/%2e%2e%2fadmin', 'path'],
    ['https://api.example.test/v1/%252e%252e%252fadmin', 'path'],
    ['https://api.example.test/v1/..%5cadmin', 'path'],
    ['https://api.example.test/v1/..\\admin', 'path'],
    ['https://api.example.test//v1/a', 'path'],
    ['https://api.example.test/v1/..;/admin', 'path'],
    ['https://api.example.test/v1/%c0%ae%c0%ae/admin', 'path'],
    ['https://api.example.test:8001/open', 'path'],
    ['https://api.example.test:8001/v1', 'path'],
    ['http://api.example.test:443/v1', 'path'],
    ['https://api.example.test:444/v1', 'port 444'],
    ['https://api.example.test.evil.test/v1', 'another host'],
    ['https://evil.test/v1', 'another host'],
    ['https://user@api.example.test/v1', 'user'],
    ['ftp://api.example.test/v1', 'not an http'],
    ['/v1', 'not an http'],
    ['', 'not an http'],
  ])('refuses %s', (url, because) => {
    expect(() => coveredUrl(url, 'GET', bounds)).toThrow(because);
  });

  it('refuses methods that are not named, also in another case', () => {
    expect(() => coveredUrl('https://api.example.test/v1', 'DELETE', bounds)).toThrow('DELETE');
    expect(() => coveredUrl('https://api.example.test/v1', 'get', bounds)).toThrow('get');
  });

  it('refuses tunnels, whatever the scope allows', () => {
    const open = { ...bounds, limits: { urls: [], methods: [] } };
    expect(() => coveredUrl('https://api.example.test/', 'connect', open)).toThrow('past the scope');
  });

  it('takes every path and method where the scope names none', () => {
    const open = { host: '[::1]', ports: [{ from: 80, to: 80 }], limits: { urls: [], methods: [] } };
    expect(coveredUrl('http://[::1]/x/../y', 'PURGE', open).pathname).toBe('/y');
    expect(coveredUrl('http://[::1]/', 'GET', { ...open, host: '::1' }).host).toBe('[::1]');
  });
});
