import { describe, expect, it } from 'vitest';
import type { AuditRequest } from '../contract.ts';
import { curlOf, longestCommand } from './show.ts';

const url = 'http://127.0.0.1:81/a';
const long = 'b'.repeat(2500);

/** As it has to be pasted into a shell. */
const commands: readonly (readonly [string, AuditRequest, string | undefined, string])[] = [
  ['a GET', { url }, undefined, `curl -ski ${url}`],
  ['a HEAD, which has no body to wait for', { url, method: 'HEAD' }, undefined, `curl -ski -I ${url}`],
  ['brackets, which are ranges to curl', { url: `${url}?id[]=1` }, undefined, `curl -ski -g '${url}?id[]=1'`],
  ['a long body, whole', { url, method: 'POST', body: long }, undefined, `curl -ski -X POST --data-raw ${long} ${url}`],
  ['one that would have to be cut', { url, method: 'POST', body: long.repeat(2) }, undefined, ''],
  ['a secret of somebody', { url, headers: { cookie: 'sid=1' } }, undefined, `curl -ski -H 'cookie: <secret>' ${url}`],
  [
    'a made-up one',
    { url, headers: { Authorization: 'Bearer hotcell-none' } },
    'authorization',
    `curl -ski -H 'Authorization: Bearer hotcell-none' ${url}`,
  ],
  ['a place for what the client adds', { url }, 'X-Key', `curl -ski -H 'X-Key: <secret>' ${url}`],
];

describe('a command that sends a request again', () => {
  it.each(commands)('%s', (_, request, credential, expected) => {
    expect(curlOf(request, credential)).toBe(expected);
    expect(expected.length).toBeLessThanOrEqual(longestCommand);
  });
});
