import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScanResult } from '../../../src/instruments/probe/contract.ts';
import { target } from '../../contract/probe/world.ts';
import { soundAccount } from '../../samples/probe/weak-api/planted.ts';
import { Place, quickScope, whyNoPlace } from './place.ts';

/** Our own scanners on an API that has none of it: what they claim there is wrong. */

const reason = await whyNoPlace();
const base = `https://${target.ipv4}`;
/** The twin's certificate is signed by an authority that was made for the test. */
const excepted = ['tls/certificate-untrusted', 'http/certificate-untrusted'];

describe('the sound twin', () => {
  let place: Place;
  beforeAll(async () => {
    if (reason === null) place = await Place.open({ sound: true });
  });
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
  });
  afterAll(() => place?.close());

  it('is not blamed for anything', async () => {
    const ask = `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      const [url, body] = process.argv.slice(1);
      const headers = { 'content-type': 'application/json' };
      fetch(url, { method: 'POST', headers, body }).then((answer) => answer.text()).then(console.log);`;
    const account = [`${base}/api/v1/token`, JSON.stringify(soundAccount)];
    const asked = await place.world.inside([process.execPath, '-e', ask, ...account]);
    const { token } = JSON.parse(asked.stdout.toString()) as { token: string };
    const client = await place.client(['--scope', place.scope('scope', quickScope)]);
    const calls: readonly [string, Readonly<Record<string, unknown>>][] = [
      ['http_probe', { url: `${base}/` }],
      ['openapi_audit', { url: `${base}/`, writes: true }],
      ['tls_audit', { target: target.ipv4 }],
      ['graphql_audit', { url: `${base}/graphql` }],
      ['jwt_audit', { url: `${base}/api/v1/me`, token }],
      ['mcp_probe', { url: `${base}/mcp` }],
    ];
    const claims = await Promise.all(
      calls.map(async ([name, input]) => {
        const answer = await client.callTool({ name, arguments: input }, { timeout: 170_000 });
        const { status, findings } = answer.structuredContent as ScanResult;
        expect({ name, status, isError: answer.isError ?? false }).toEqual({
          name,
          status: 'completed',
          isError: false,
        });
        expect(findings.length).toBeGreaterThan(0);
        return findings
          .filter(({ kind, severity }) => kind === 'finding' && !['info', 'low'].includes(String(severity)))
          .map(({ rule, at, detail }) => ({ rule, at, detail }));
      }),
    );
    expect(claims.flat().filter(({ rule }) => !excepted.includes(String(rule)))).toEqual([]);
    expect(await place.world.strays()).toEqual([]);
  });
});
