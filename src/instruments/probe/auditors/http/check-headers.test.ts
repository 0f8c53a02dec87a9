import { describe, expect, it } from 'vitest';
import { PinnedClient } from '../client/index.ts';
import { sampleInput } from '../client/sample-input.ts';
import { Inquiry } from '../inquiry/inquiry.ts';
import { checkHeaders, checkHttps, checkVersions } from './check-headers.ts';
import { type Check, frontOf } from './front.ts';
import { type HttpRule, httpRules } from './rules.ts';

/** These look at an answer and send nothing, so the address need not exist. */
async function judged(
  check: Check,
  url: string,
  status: number,
  headers: Record<string, string>,
): Promise<readonly string[]> {
  const input = sampleInput(url, { addresses: ['192.0.2.7'] });
  const rules: string[] = [];
  const client = new PinnedClient(input);
  const say = (line: { type: string; finding?: { rule: string } }): void =>
    void rules.push(line.finding?.rule ?? line.type);
  const inquiry = new Inquiry<HttpRule>({ input, client, say }, { group: 'http', rules: httpRules, mostRequests: 0 });
  const answer = {
    status,
    httpVersion: '1.1',
    headers: Object.entries(headers),
    body: Buffer.alloc(0),
    isCut: false,
    elapsedMs: 1,
  };
  await check(inquiry, frontOf({ url }, answer));
  client.close();
  return rules;
}

const secure = 'https://api.example.test/';
const data = {
  'content-type': 'application/problem+json',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private',
};
const plain = { 'content-type': 'text/plain' };

describe('headers that matter', () => {
  it.each<readonly [string, string, number, Record<string, string>, readonly string[]]>([
    ['HSTS over HTTPS', secure, 200, plain, ['http/no-hsts']],
    [
      'HSTS that is switched off',
      secure,
      200,
      { ...plain, 'strict-transport-security': 'max-age=0' },
      ['http/no-hsts'],
    ],
    ['HSTS for a day', secure, 200, { ...plain, 'strict-transport-security': 'max-age="86400"' }, ['http/short-hsts']],
    ['HSTS for a year', secure, 200, { ...plain, 'strict-transport-security': 'max-age=31536000' }, []],
    ['no HSTS for an address', 'https://192.0.2.7/', 200, plain, []],
    ['no HSTS over HTTP', 'http://api.example.test/', 200, plain, []],
    ['nothing of an error, which is said', secure, 500, { 'content-type': 'text/html' }, ['note']],
    ['data that is kept to one user', 'http://192.0.2.7/', 200, data, []],
    ['data for caches', 'http://192.0.2.7/', 200, { ...data, 'cache-control': 'max-age=60' }, ['http/api-cacheable']],
  ])('%s', async (_, url, status, headers, expected) => {
    expect(await judged(checkHeaders, url, status, headers)).toEqual(expected);
  });

  it.each<readonly [string, number, Record<string, string>, readonly string[]]>([
    ['http://api.example.test/', 200, plain, ['http/no-https']],
    ['http://api.example.test/', 301, { location: 'https://api.example.test/' }, []],
    ['http://api.example.test/', 302, { location: '/login' }, ['http/no-https']],
    ['http://api.example.test/', 403, plain, []],
    ['http://127.0.0.1/', 200, plain, []],
    ['http://localhost/', 200, plain, []],
    [secure, 200, plain, []],
  ])('plain HTTP: %s %i', async (url, status, headers, expected) => {
    expect(await judged(checkHttps, url, status, headers)).toEqual(expected);
  });

  it.each<readonly [Record<string, string>, boolean]>([
    [{ server: 'nginx/1.18.0' }, true],
    [{ server: 'nginx' }, false],
    [{ server: 'Jetty(9.4.1)' }, true],
    [{ via: 'HTTP/1.1 proxy' }, false],
    [{ via: '1.1 varnish' }, false],
    [{ 'x-aspnet-version': '4.0.30319' }, true],
    [{ 'x-powered-by': 'Express' }, false],
  ])('versions in %j', async (headers, isTold) => {
    expect(await judged(checkVersions, secure, 200, headers)).toEqual(isTold ? ['http/version-disclosure'] : []);
  });
});
