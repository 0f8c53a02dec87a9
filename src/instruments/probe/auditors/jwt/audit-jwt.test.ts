import { generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../base/json-shape.ts';
import { auditors } from '../index.ts';
import { auditUrl, type SampleServer, sendJson, serve } from '../inquiry/sample-audit.ts';
import { runAudit } from '../run.ts';
import { jwtAuditor } from './audit-jwt.ts';
import { type Guard, guarded, type Mistake } from './sample-guard.ts';
import { hmacSigner, writeToken } from './token.ts';

const open: SampleServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const now = Math.floor(Date.now() / 1000);
const soundClaims: JsonObject = { sub: 'user-1', iat: now - 60, exp: now + 3600 };
const strong = 'kX3v9QpL2mZ8rT5wY7uB4nH6jF1dS0aG';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

const hmacToken = (secret: string, claims: JsonObject = soundClaims, header: JsonObject = {}): string =>
  writeToken({ alg: 'HS256', typ: 'JWT', ...header }, claims, hmacSigner('HS256', secret));
const rsaToken = (): string =>
  writeToken({ alg: 'RS256', kid: 'main' }, soundClaims, (signed) =>
    sign('sha256', Buffer.from(signed), rsa.privateKey),
  );

async function auditGuard(guard: Guard, token: string) {
  const server = await serve(guarded(guard));
  open.push(server);
  const audited = await auditUrl(jwtAuditor, `${server.url}/me`, { arguments: { token } });
  return { ...audited, seen: server.seen };
}

describe('the JWT auditor', () => {
  it.each([
    ['a strong secret', { secret: strong }, hmacToken(strong)],
    ['a published RSA key', { publicKey: rsa.publicKey }, rsaToken()],
  ])('finds nothing in a sound server with %s', async (_, guard, token) => {
    const { rules, notes, facts } = await auditGuard(guard, token);
    expect({ rules, notes }).toEqual({ rules: [], notes: [] });
    expect(facts.answers).toEqual({ with_token: 200, without_token: 401 });
  });

  it.each<readonly [Mistake, Guard, string, readonly string[]]>([
    ['no-check', { secret: strong }, hmacToken(strong), ['jwt/signature-not-checked']],
    [
      'no-signature-is-fine',
      { secret: strong },
      hmacToken(strong),
      ['jwt/none-accepted', 'jwt/signature-not-required'],
    ],
    ['none-is-fine', { secret: strong }, hmacToken(strong), ['jwt/none-accepted']],
    ['any-alg-with-the-key', { publicKey: rsa.publicKey }, rsaToken(), ['jwt/key-confusion']],
    ['key-from-the-header', { publicKey: rsa.publicKey }, rsaToken(), ['jwt/foreign-key-accepted']],
    ['key-id-is-a-path', { secret: strong }, hmacToken(strong), ['jwt/key-id-path']],
    ['time-is-not-checked', { secret: 'secret' }, hmacToken('secret'), ['jwt/expired-accepted', 'jwt/weak-secret']],
    [
      'time-is-not-checked',
      { secret: strong },
      hmacToken(strong, { ...soundClaims, exp: now - 1000, iat: now - 2000 }),
      ['jwt/expired-accepted', 'jwt/expired-token'],
    ],
  ])('proves %s', async (mistake, guard, token, expected) => {
    const { rules, findings } = await auditGuard({ ...guard, mistake }, token);
    expect(rules).toEqual(expected);
    expect(
      findings.filter(({ cwe, remediation, repro }) => cwe.length === 0 || remediation === '' || repro === ''),
    ).toEqual([]);
  });

  it('takes a limit of the rate for no refusal', async () => {
    const server = await serve(({ headers }, response) =>
      sendJson(response, headers.authorization === undefined ? 429 : 200, {}),
    );
    open.push(server);
    const { rules, notes } = await auditUrl(jwtAuditor, `${server.url}/me`, {
      arguments: { token: hmacToken(strong) },
    });
    expect(rules).toEqual([]);
    expect(notes[0]).toContain('limits the rate');
  });

  it('says what it could not try without a public key', async () => {
    const server = await serve((request, response) => {
      const isKnown = request.headers.authorization === `Bearer ${rsaToken()}`;
      sendJson(response, request.url === '/me' ? (isKnown ? 200 : 401) : 404, {});
    });
    open.push(server);
    const { rules, notes } = await auditUrl(jwtAuditor, `${server.url}/me`, { arguments: { token: rsaToken() } });
    expect({ rules, notes }).toEqual({ rules: [], notes: [expect.stringContaining('no public key was found')] });
  });

  it.each<readonly [Mistake, string]>([
    ['open-to-all', 'without a token is 200'],
    ['refuses-all', 'the token itself is answered with 401'],
  ])('claims nothing of a server that is %s', async (mistake, words) => {
    const { rules, notes, sent } = await auditGuard({ secret: strong, mistake }, hmacToken(strong));
    expect({ rules, sent }).toEqual({ rules: [], sent: 2 });
    expect(notes.join()).toContain(words);
  });

  it.each<readonly [string, string, readonly string[]]>([
    ['no times', hmacToken(strong, { sub: 'x' }), ['jwt/no-expiry', 'jwt/no-issue-time']],
    ['a long life', hmacToken(strong, { iat: now, exp: now + 90_000 }), ['jwt/long-lifetime']],
    [
      'secrets inside',
      hmacToken(strong, { ...soundClaims, password: 'VALUE', email: 'a@b' }),
      ['jwt/sensitive-claims'],
    ],
    ['a guessable secret', hmacToken('changeme'), ['jwt/weak-secret']],
    ['no secret', hmacToken(''), ['jwt/weak-secret']],
    [
      'odd headers',
      hmacToken(strong, soundClaims, { jku: 'https://keys.example.net/', kid: '../../key' }),
      ['jwt/key-address', 'jwt/odd-key-id'],
    ],
    ['a key inside', hmacToken(strong, soundClaims, { jwk: { kty: 'oct' } }), ['jwt/key-inside']],
    ['no signature', writeToken({ alg: 'none' }, soundClaims, () => Buffer.alloc(0)), ['jwt/unsigned-token']],
  ])('tells from the token alone: %s', async (_, token, expected) => {
    const { rules, findings } = await auditGuard({ mistake: 'refuses-all' }, token);
    expect(rules).toEqual(expected);
    expect(JSON.stringify(findings)).not.toContain('VALUE');
  });

  it.each(['argument', 'credential'])(
    'never shows the token that came as %s, whatever the server does with it',
    async (way) => {
      const token = hmacToken('secret');
      const server = await serve(guarded({ secret: 'secret', mistake: 'none-is-fine' }));
      open.push(server);
      const { port } = new URL(server.url);
      const lines: string[] = [];
      const input = {
        arguments: way === 'argument' ? { token } : {},
        url: `${server.url}/me`,
        host: '127.0.0.1',
        addresses: ['127.0.0.1'],
        ports: [{ from: Number(port), to: Number(port) }],
        limits: { urls: [], methods: [] },
        pace: { requestsPerSecond: 10_000, connections: 1 },
        credential: way === 'argument' ? null : { name: 'user', header: 'Authorization', value: `Bearer ${token}` },
      };
      expect(await runAudit(auditors, 'jwt', JSON.stringify(input), (line) => void lines.push(line))).toBe(0);
      const all = lines.join('\n');
      expect(all).toContain('jwt/none-accepted');
      expect(all).toContain('jwt/weak-secret');
      for (const part of token.split('.')) expect(all).not.toContain(part);
    },
  );

  it.each([
    ['no token at all', {}],
    ['an argument that is none', { token: 'a.b.c' }],
    ['a header that is no object', { token: `${Buffer.from('[1]').toString('base64url')}.e30.` }],
  ])('fails in words when given %s', async (_, given) => {
    await expect(auditUrl(jwtAuditor, 'http://127.0.0.1:9/', { arguments: given })).rejects.toThrow(
      /holds no|is not a signed/,
    );
  });
});
