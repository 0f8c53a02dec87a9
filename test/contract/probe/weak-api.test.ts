import { connect } from 'node:net';
import { connect as connectTls, type SecureVersion } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeToken } from '../../samples/probe/weak-api/jwt.ts';
import {
  contractBreaches,
  hiddenEndpoints,
  hiddenParameters,
  hostileText,
  leads,
  services,
  trying,
  weakGraphql,
  weakHeaders,
  weakJwt,
  weakMcp,
  weakTls,
} from '../../samples/probe/weak-api/planted.ts';
import { startWeakApi, type WeakApi } from '../../samples/probe/weak-api/start.ts';
import { ask, askJson } from './ask.ts';

/** The weak API answers what planted.ts says, so that a scanner that does not find it is wrong. */

const elsewhere = 'http://203.0.113.66/caught';
let api: WeakApi;
beforeAll(async () => {
  api = await startWeakApi({ tlsPort: 0, bannerPort: 0, elsewhere });
});
afterAll(() => api.close());

const at = (path: string): string => `${api.url}${path}`;

describe('what is not documented', () => {
  it.each(hiddenEndpoints)('$path is served', async ({ path, status, contains }) => {
    const reply = await ask(at(path));
    expect(reply).toMatchObject({ status, text: expect.stringContaining(contains) });
    expect((await ask(at(contractBreaches.document))).text).not.toContain(`"${path}"`);
  });

  it('and what does not exist is not found', async () => {
    expect((await ask(at('/nothing-here'))).status).toBe(404);
  });

  it.each(hiddenParameters)('$name of $method $path changes the answer', async ({ path, method, name, contains }) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = (fields: string) =>
      method === 'GET' ? ask(at(`${path}?${fields}`)) : ask(at(path), { method, headers: type, body: fields });
    expect((await send('q=a')).text).not.toContain(contains);
    expect((await send(`q=a&${name}=1`)).text).toContain(contains);
    expect((await send('q=a&unknown=1')).text).toBe((await send('q=a')).text);
  });
});

describe('what breaks the document', () => {
  it.each(contractBreaches.authMissing)('$method $path needs no token', async ({ method, path }) => {
    const reply = method === 'GET' ? await ask(at(path)) : await askJson(at(path), { name: 'x', quantity: 1 });
    expect(reply.status).toBeLessThan(300);
  });

  it.each(contractBreaches.undocumentedMethods)('$method $path answers', async ({ method, path }) => {
    expect((await ask(at(path), { method })).status).toBe(200);
  });

  it.each(contractBreaches.excessFields)('$path says more', async ({ path, fields }) => {
    const { text } = await ask(at(path));
    for (const field of fields) expect(text).toContain(`"${field}"`);
  });

  it.each(contractBreaches.typesNotEnforced)('$parameter of $method $path may be anything', async (breach) => {
    const { method, path, parameter, wrong, status } = breach;
    const reply =
      method === 'GET'
        ? await ask(at(`${path}?${parameter}=${wrong}`))
        : await askJson(at(path), { name: 'x', [parameter]: wrong });
    expect(reply.status).toBe(status);
  });

  it.each(contractBreaches.serverErrors)('$path brings a trace', async ({ path, status, contains }) => {
    expect(await ask(at(path))).toMatchObject({ status, text: expect.stringContaining(contains) });
  });

  it('and another document leads elsewhere', async () => {
    const { text } = await ask(at(contractBreaches.documentElsewhere));
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.0.3', servers: [{ url: elsewhere }, { url: '/' }] });
  });
});

describe('headers', () => {
  it('tell versions, protect nothing and let every origin in', async () => {
    const { headers } = await ask(at('/'), { headers: { origin: 'http://evil.example' } });
    expect(headers).toMatchObject({
      server: weakHeaders.server,
      'x-powered-by': weakHeaders.poweredBy,
      'access-control-allow-origin': 'http://evil.example',
      'access-control-allow-credentials': 'true',
    });
    for (const name of weakHeaders.missing) expect(headers[name]).toBeUndefined();
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie).toMatch(new RegExp(`^${weakHeaders.cookie.name}=`));
    for (const flag of weakHeaders.cookie.missing) expect(cookie).not.toContain(flag);
  });

  it('come back with TRACE', async () => {
    const reply = await ask(at('/'), { method: 'TRACE', headers: { 'x-marker': 'echoed' } });
    expect(reply).toMatchObject({ status: 200, text: expect.stringContaining('x-marker: echoed') });
  });
});

describe('graphql', () => {
  const url = (): string => at(weakGraphql.path);
  const data = async (value: unknown): Promise<unknown> => JSON.parse((await askJson(url(), value)).text);

  it('describes itself, also through fragments', async () => {
    const query = `query All { __schema { queryType { name } mutationType { name } types { ...Whole } directives { name } } }
      fragment Whole on __Type { kind name fields(includeDeprecated: true) { name args { name type { ...Reference } } type { ...Reference } } }
      fragment Reference on __Type { kind name ofType { kind name ofType { name } } }`;
    const text = JSON.stringify(await data({ query }));
    for (const type of weakGraphql.types) expect(text).toContain(`"name":"${type}"`);
    expect(text).toContain('"name":"passwordHash"');
    expect(text).toContain('{"kind":"LIST","name":null,"ofType":{"kind":"OBJECT","name":"Post","ofType":null}}');
    expect(await data({ query: '{ __type(name: "User") { name } }' })).toEqual({ data: { __type: { name: 'User' } } });
  });

  it('answers several at once, other names and variables', async () => {
    expect(await data([{ query: '{ __typename }' }, { query: '{ a: __typename b: systemInfo }' }])).toEqual([
      { data: { __typename: 'Query' } },
      { data: { a: 'Query', b: 'hotcell-planted-system-info' } },
    ]);
    const query = 'query One($id: ID!) { user(id: $id) { ... on User { id } } }';
    expect(await data({ query, variables: { id: '1' } })).toEqual({ data: { user: { id: '1' } } });
  });

  it('answers GET and forms', async () => {
    const expected = { data: { __typename: 'Query' } };
    expect(JSON.parse((await ask(`${url()}?query=${encodeURIComponent('{__typename}')}`)).text)).toEqual(expected);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await ask(url(), { method: 'POST', headers, body: 'query={__typename}' });
    expect(JSON.parse(form.text)).toEqual(expected);
  });

  it('goes as deep as it is asked to', async () => {
    const { root, first, second, leaf } = weakGraphql.cycle;
    const levels = 100;
    const query = `{ ${root} { ${`${first} { ${second} { `.repeat(levels)} ${leaf} ${'} }'.repeat(levels)} } }`;
    expect(JSON.stringify(await data({ query }))).toContain(`"${leaf}":"1"`);
  });

  it('suggests names', async () => {
    const { query, suggests } = weakGraphql.misspelt;
    expect(JSON.stringify(await data({ query }))).toContain(`Did you mean \\"${suggests}\\"`);
  });
});

describe('tokens', () => {
  const claims = { sub: '7', name: 'grace' };
  const cases = [
    { what: 'signed with a word of every list', token: makeToken({ claims, secret: weakJwt.secret }), status: 200 },
    { what: 'of algorithm none', token: makeToken({ claims, secret: '', algorithm: 'none' }), status: 200 },
    { what: 'long over', token: makeToken({ claims: { ...claims, exp: 1 }, secret: weakJwt.secret }), status: 200 },
    { what: 'signed with another key', token: makeToken({ claims, secret: 'another' }), status: 401 },
    { what: 'made of nothing', token: 'x.y.z', status: 401 },
  ];
  it.each(cases)('$what: $status', async ({ token, status }) => {
    expect((await ask(at(weakJwt.path), { headers: { authorization: `Bearer ${token}` } })).status).toBe(status);
  });

  it('are given to anybody', async () => {
    const { token } = JSON.parse((await askJson(at(weakJwt.tokenPath), {})).text) as { token: string };
    const reply = await ask(at(weakJwt.path), { headers: { authorization: `Bearer ${token}` } });
    expect(JSON.parse(reply.text)).toMatchObject({ name: 'ada' });
  });
});

describe('mcp', () => {
  const call = (method: string, headers: Readonly<Record<string, string>> = {}) =>
    askJson(at(weakMcp.path), { jsonrpc: '2.0', id: 1, method, params: {} }, headers);

  it('lists its tools for anybody, under any name, in any session', async () => {
    const strange = { host: 'evil.example', origin: 'http://evil.example', 'mcp-session-id': 'made-up' };
    for (const headers of [{}, strange]) {
      const { result } = JSON.parse((await call('tools/list', headers)).text) as {
        result: { tools: readonly { name: string }[] };
      };
      expect(result.tools.map(({ name }) => name)).toEqual(weakMcp.tools);
    }
  });

  it('counts its sessions', async () => {
    const ids = [await call('initialize'), await call('initialize')].map(({ headers }) => headers['mcp-session-id']);
    for (const id of ids) expect(id).toMatch(weakMcp.sessionPattern);
    expect(Number(String(ids[1]).slice(8))).toBe(Number(String(ids[0]).slice(8)) + 1);
  });
});

describe('ways out', () => {
  it('redirects wherever it is told to', async () => {
    const { path, parameter } = leads.openRedirect;
    const reply = await ask(at(`${path}?${parameter}=${encodeURIComponent(elsewhere)}`));
    expect(reply).toMatchObject({ status: 302, headers: { location: elsewhere } });
  });

  it.each(leads.redirects)('$path leads elsewhere', async ({ path, status }) => {
    expect(await ask(at(path))).toMatchObject({ status, headers: { location: elsewhere } });
  });

  it.each(leads.mentions)('$method $path names it', async ({ method, path, status, headers }) => {
    const reply = await ask(at(path), { method });
    expect(reply).toMatchObject({ status, text: expect.stringContaining(elsewhere) });
    for (const name of headers) expect(reply.headers[name]).toContain('203.0.113.66');
  });

  it('goes in circles', async () => {
    expect(await ask(at(leads.loop))).toMatchObject({ status: 302, headers: { location: leads.loop } });
  });
});

describe('patience', () => {
  it('is tried by a slow answer, a flood and a trickle', async () => {
    expect((await ask(at(`${trying.slow.path}?${trying.slow.parameter}=0.05`))).text).toBe('after 0.05 s\n');
    const flood = await ask(at(trying.flood), { mostBytes: 4 * 1024 * 1024 });
    expect(flood.text.length).toBeGreaterThanOrEqual(4 * 1024 * 1024);
    expect((await ask(at(trying.trickle), { mostBytes: 1 })).text).toBe('.');
  });

  it('and by text that gives orders', async () => {
    const { text } = await ask(at(hostileText.path));
    expect(text).toContain(hostileText.contains);
    expect(text).toContain('\x1b[31m');
  });
});

interface Greeting {
  readonly protocol: string | null;
  readonly cipher: string;
  readonly certificate: ReturnType<import('node:tls').TLSSocket['getPeerX509Certificate']>;
}

function greet(version: SecureVersion, ciphers = 'ALL:@SECLEVEL=0'): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    const options = { port: api.tlsPort ?? 0, host: '127.0.0.1', rejectUnauthorized: false, timeout: 10_000 };
    const socket = connectTls({ ...options, ciphers, minVersion: version, maxVersion: version }, () => {
      const certificate = socket.getPeerX509Certificate();
      resolve({ protocol: socket.getProtocol(), cipher: socket.getCipher().name, certificate });
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

describe('other ports', () => {
  it.each(weakTls.protocols)('speaks %s', async (version) => {
    expect((await greet(version)).protocol).toBe(version);
  });

  it('has a certificate that is over and signed by itself', async () => {
    const { certificate, cipher } = await greet('TLSv1.2', `${weakTls.cipher}:@SECLEVEL=0`);
    expect(cipher).toBe(weakTls.cipher);
    expect(certificate?.subject).toBe(`CN=${weakTls.subject}`);
    expect(certificate?.verify(certificate.publicKey)).toBe(true);
    expect(new Date(certificate?.validTo ?? '').getFullYear()).toBe(2020);
    expect(certificate?.publicKey.asymmetricKeyDetails?.modulusLength).toBe(weakTls.keyBits);
  });

  it('greets like an old server', async () => {
    const heard = await new Promise<string>((resolve, reject) => {
      const socket = connect(api.bannerPort ?? 0, '127.0.0.1').once('error', reject);
      socket.once('data', (chunk) => {
        resolve(chunk.toString());
        socket.destroy();
      });
    });
    expect(heard).toBe(services.banner.text);
  });
});
