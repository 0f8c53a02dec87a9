import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeToken } from '../../samples/probe/weak-api/jwt.ts';
import {
  contractBreaches,
  hiddenEndpoints,
  hiddenParameters,
  leads,
  soundAccount,
  trying,
  weakGraphql,
  weakHeaders,
  weakJwt,
  weakMcp,
} from '../../samples/probe/weak-api/planted.ts';
import { startWeakApi, type WeakApi } from '../../samples/probe/weak-api/start.ts';
import { ask, askJson } from './ask.ts';

/** The sound twin has none of what is planted, so that a scanner that claims it is wrong. */

let api: WeakApi;
let token: string;
const at = (path: string): string => `${api.url}${path}`;
beforeAll(async () => {
  api = await startWeakApi({ sound: true, tlsPort: 0, names: ['localhost'] });
  ({ token } = JSON.parse((await askJson(at('/api/v1/token'), soundAccount)).text) as { token: string });
});
afterAll(() => api.close());

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

const paths = [
  ...hiddenEndpoints.map(({ path }) => path),
  leads.openRedirect.path,
  ...leads.redirects.map(({ path }) => path),
  ...leads.mentions.map(({ path }) => path),
  trying.flood,
  contractBreaches.documentElsewhere,
];

describe('the sound twin', () => {
  it.each(paths)('has no %s', async (path) => {
    expect((await ask(at(path))).status).toBe(404);
  });

  it('keeps to the same document', async () => {
    await using weak = { api: await startWeakApi(), [Symbol.asyncDispose]: () => weak.api.close() };
    const [own, others] = [await ask(at('/openapi.json')), await ask(`${weak.api.url}/openapi.json`)];
    expect(own.text).toBe(others.text);
    expect(own.status).toBe(200);
  });

  it.each(contractBreaches.authMissing)('$method $path needs a token', async ({ method, path }) => {
    const send = (headers: Readonly<Record<string, string>>) =>
      method === 'GET' ? ask(at(path), { headers }) : askJson(at(path), { name: 'x', quantity: 1 }, headers);
    expect((await send({})).status).toBe(401);
    const reply = await send(bearer(token));
    expect(reply.status).toBeLessThan(300);
    expect(reply.text).not.toContain('password_hash');
  });

  it.each(contractBreaches.typesNotEnforced)('$parameter of $method $path has to fit', async (breach) => {
    const { method, path, parameter, wrong } = breach;
    const reply =
      method === 'GET'
        ? await ask(at(`${path}?${parameter}=${wrong}`))
        : await askJson(at(path), { name: 'x', [parameter]: wrong }, bearer(token));
    expect(reply.status).toBe(400);
  });

  it('has no other methods and no traces', async () => {
    expect((await ask(at('/api/v1/items/1'), { method: 'DELETE' })).status).toBe(405);
    expect((await ask(at('/'), { method: 'TRACE' })).status).toBe(405);
    expect(await ask(at("/api/v1/items/'"))).toMatchObject({ status: 400 });
  });

  it.each(hiddenParameters)('does not know $name of $path', async ({ path, method, name }) => {
    const send = (fields: Readonly<Record<string, string>>) =>
      method === 'GET' ? ask(at(`${path}?${new URLSearchParams(fields)}`)) : askJson(at(path), fields);
    expect((await send({ q: 'a', [name]: '1' })).text).toBe((await send({ q: 'a' })).text);
  });

  it('sends the headers', async () => {
    const { headers } = await ask(at('/'), { headers: { origin: 'http://evil.example' } });
    for (const name of weakHeaders.missing) {
      if (name !== 'strict-transport-security') expect(headers[name]).toBeDefined();
    }
    for (const name of ['server', 'x-powered-by', 'set-cookie', 'access-control-allow-origin']) {
      expect(headers[name]).toBeUndefined();
    }
  });

  const weakTokens = [
    makeToken({ claims: { sub: '1' }, secret: weakJwt.secret }),
    makeToken({ claims: { sub: '1' }, secret: '', algorithm: 'none' }),
    makeToken({ claims: { sub: '1' }, secret: '', algorithm: 'NONE' }),
  ];
  it.each(weakTokens)('does not take %s', async (weak) => {
    expect((await ask(at(weakJwt.path), { headers: bearer(weak) })).status).toBe(401);
  });

  it('takes its own token, and not without its signature', async () => {
    expect((await ask(at(weakJwt.path), { headers: bearer(token) })).status).toBe(200);
    const bare = token.slice(0, token.lastIndexOf('.') + 1);
    expect((await ask(at(weakJwt.path), { headers: bearer(bare) })).status).toBe(401);
  });

  const queries: readonly (readonly [string, unknown, number])[] = [
    ['a query', { query: '{ items { id category { name } } }' }, 200],
    ['introspection', { query: '{ __schema { types { name } } }' }, 400],
    ['a batch', [{ query: '{ __typename }' }], 400],
    ['depth', { query: `{ items ${'{ category { items '.repeat(5)} { id } ${'} }'.repeat(5)} }` }, 400],
    ['aliases', { query: `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: __typename`).join(' ')} }` }, 400],
  ];
  it.each(queries)('answers %s as it should', async (_, value, status) => {
    expect((await askJson(at(weakGraphql.path), value)).status).toBe(status);
  });

  it('suggests nothing and takes no GET', async () => {
    expect((await askJson(at(weakGraphql.path), { query: '{ itms { id } }' })).text).not.toContain('items');
    expect((await ask(at(`${weakGraphql.path}?query={__typename}`))).status).toBe(405);
  });

  it('speaks MCP with those it knows, as itself', async () => {
    const call = (method: string, headers: Readonly<Record<string, string>>) =>
      askJson(at(weakMcp.path), { jsonrpc: '2.0', id: 1, method, params: {} }, headers);
    const own = bearer(token);
    expect((await call('tools/list', {})).status).toBe(401);
    expect((await call('initialize', { ...own, host: 'evil.example' })).status).toBe(421);
    expect((await call('initialize', { ...own, origin: 'http://evil.example' })).status).toBe(403);
    expect((await call('tools/list', own)).status).toBe(400);
    expect((await call('tools/list', { ...own, 'mcp-session-id': 'session-1' })).status).toBe(404);
    const session = String((await call('initialize', own)).headers['mcp-session-id']);
    expect(session).not.toMatch(weakMcp.sessionPattern);
    expect((await call('tools/list', { ...own, 'mcp-session-id': session })).text).toContain(weakMcp.tools[0]);
  });

  it('has a certificate that its authority vouches for, and no old protocol', async () => {
    const greet = (maxVersion: 'TLSv1.1' | 'TLSv1.3') =>
      new Promise<string>((resolve) => {
        const options = { port: api.tlsPort ?? 0, host: '127.0.0.1', ca: api.authorityPem ?? '', timeout: 10_000 };
        const minVersion = maxVersion === 'TLSv1.1' ? 'TLSv1' : 'TLSv1.2';
        const socket = connectTls({ ...options, ciphers: 'ALL:@SECLEVEL=0', minVersion, maxVersion }, () => {
          resolve(socket.getProtocol() ?? '');
          socket.destroy();
        });
        socket.once('error', (error) => resolve(error.message));
      });
    expect(await greet('TLSv1.3')).toBe('TLSv1.3');
    expect(await greet('TLSv1.1')).toMatch(/alert|version/i);
  });
});
