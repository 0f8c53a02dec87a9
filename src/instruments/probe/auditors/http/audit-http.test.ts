import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateMaker, createAuthority } from '../../../../engine/net/certificates/authority.ts';
import { PinnedClient } from '../client/index.ts';
import type { AuditFinding, AuditInput } from '../contract.ts';
import { auditUrl, type Handler, type SampleServer, sendJson, serve } from '../inquiry/sample-audit.ts';
import { auditHttp, httpAuditor } from './audit-http.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serving(handler: Handler): Promise<SampleServer> {
  const server = await serve(handler);
  open.push(server);
  return server;
}

const soundPage = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'geolocation=()',
};
const soundData = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

describe('the HTTP auditor finds nothing in what is sound', () => {
  it('an API', async () => {
    const { url, seen } = await serving(({ url: path, method }, response) => {
      if (method !== 'GET') return sendJson(response, 405, { error: 'no' }, { ...soundData, allow: 'GET' });
      if (path !== '/v1/items') return sendJson(response, 404, { error: 'not found' }, soundData);
      return sendJson(
        response,
        200,
        { items: [] },
        { ...soundData, server: 'nginx', 'set-cookie': 'sid=1; HttpOnly; SameSite=Lax' },
      );
    });
    const { rules, notes, facts, sent } = await auditUrl(httpAuditor, `${url}/v1/items`);
    expect({ rules, notes }).toEqual({ rules: [], notes: [] });
    expect(facts.answer).toMatchObject({ status: 200, kind: 'data', redirect: null });
    expect(facts.technologies).toEqual([{ name: 'nginx', version: null, by: 'header server' }]);
    expect(sent).toBe(seen.length);
    expect(sent).toBeLessThan(60);
  });

  it('a page that redirects by itself and answers everything alike', async () => {
    const { url } = await serving((request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://x');
      if (searchParams.has('next')) response.writeHead(302, { location: '/home' }).end();
      else response.writeHead(200, soundPage).end('<title>Home</title> at foo (/app/x.js:1:1)');
    });
    const { rules, facts } = await auditUrl(httpAuditor, `${url}/`);
    expect(rules).toEqual([]);
    expect(facts.answer).toMatchObject({ title: 'Home', kind: 'page' });
  });
});

describe('the HTTP auditor', () => {
  it('names every cookie', async () => {
    const { url } = await serving((_, response) => {
      response.setHeader('set-cookie', ['sid=1', 'auth_token=1', 'colour=1']);
      sendJson(response, 200, {}, soundData);
    });
    const { findings } = await auditUrl(httpAuditor, `${url}/`);
    const titles = findings.filter(({ rule }) => rule === 'http/cookie-not-http-only').map(({ title }) => title);
    expect(titles).toEqual([expect.stringMatching(/: sid$/), expect.stringMatching(/: auth_token$/)]);
  });

  it('finds redirects of servers that do not decode what they are given', async () => {
    const { url } = await serving((request, response) => {
      const [, next] = /[?&]next=([^&]*)/.exec(request.url ?? '') ?? [];
      if (next === undefined) sendJson(response, 404, {}, soundData);
      else response.writeHead(302, { location: next }).end();
    });
    const { findings } = await auditUrl(httpAuditor, `${url}/`);
    expect(findings[0]).toMatchObject({
      rule: 'http/open-redirect',
      repro: `curl -ski '${url}/?next=https://next.example.invalid/'`,
    });
  });
});

const trace = 'Traceback (most recent call last):\n  File "/srv/app/main.py", line 3, in get';

/** One weakness each, and the rules that it must give, no more. */
const weak: readonly (readonly [name: string, rules: readonly string[], handler: Handler])[] = [
  [
    'a page without headers',
    [
      'http/no-csp',
      'http/no-frame-protection',
      'http/no-nosniff',
      'http/no-permissions-policy',
      'http/no-referrer-policy',
    ],
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  ],
  [
    'a policy that allows every script',
    ['http/weak-csp'],
    (_, response) =>
      response
        .writeHead(200, {
          ...soundPage,
          'content-security-policy': "script-src 'unsafe-inline'; frame-ancestors 'none'",
        })
        .end(),
  ],
  ['an API without headers', ['http/api-cacheable', 'http/no-nosniff'], (_, response) => sendJson(response, 200, {})],
  [
    'a reflected origin',
    ['http/cors-any-origin'],
    ({ headers }, response) =>
      sendJson(
        response,
        200,
        {},
        {
          ...soundData,
          'access-control-allow-origin': headers.origin ?? '',
          'access-control-allow-credentials': 'true',
        },
      ),
  ],
  [
    'an origin that ends alike',
    ['http/cors-lax-origin'],
    ({ headers }, response) => {
      const isAlike = headers.origin?.endsWith(headers.host ?? '-') === true;
      const allowed = {
        'access-control-allow-origin': headers.origin ?? '',
        'access-control-allow-credentials': 'true',
      };
      sendJson(response, 200, {}, { ...soundData, ...(isAlike ? allowed : {}) });
    },
  ],
  [
    'the origin null',
    ['http/cors-null-origin'],
    ({ headers }, response) =>
      sendJson(
        response,
        200,
        {},
        {
          ...soundData,
          ...(headers.origin === 'null'
            ? { 'access-control-allow-origin': 'null', 'access-control-allow-credentials': 'true' }
            : {}),
        },
      ),
  ],
  [
    'every origin',
    ['http/cors-wildcard'],
    (_, response) => sendJson(response, 200, {}, { ...soundData, 'access-control-allow-origin': '*' }),
  ],
  [
    'a session cookie for scripts',
    ['http/cookie-no-same-site', 'http/cookie-not-http-only'],
    (_, response) => sendJson(response, 200, {}, { ...soundData, 'set-cookie': 'session_id=SECRETVALUE; Path=/' }),
  ],
  [
    'versions',
    ['http/version-disclosure'],
    (_, response) =>
      sendJson(response, 200, {}, { ...soundData, server: 'Apache/2.4.1 (Unix)', 'x-powered-by': 'PHP/7.4.3' }),
  ],
  [
    'TRACE and its like',
    ['http/methods-offered', 'http/trace-enabled'],
    (request, response) => {
      if (request.method === 'TRACE')
        response.writeHead(200, { 'content-type': 'message/http' }).end(request.rawHeaders.join('\n'));
      else sendJson(response, 200, {}, { ...soundData, allow: 'GET, PUT, TRACE' });
    },
  ],
  [
    'a stack trace',
    ['http/stack-trace'],
    ({ url = '' }, response) =>
      url.includes('?id[]') ? sendJson(response, 500, { trace }, soundData) : sendJson(response, 200, {}, soundData),
  ],
  [
    'debug mode',
    ['http/debug-page'],
    ({ url = '' }, response) =>
      url === '/'
        ? sendJson(response, 200, {}, soundData)
        : response.writeHead(404, soundPage).end("You're seeing this error because you have <code>DEBUG = True</code>"),
  ],
  [
    'an open redirect',
    ['http/open-redirect'],
    ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://x');
      if (pathname === '/go' && searchParams.has('to'))
        response.writeHead(302, { location: searchParams.get('to') ?? '' }).end();
      else sendJson(response, pathname === '/' ? 200 : 404, {}, soundData);
    },
  ],
  [
    'an open redirect behind a filter of schemes',
    ['http/open-redirect'],
    ({ url = '' }, response) => {
      const next = new URL(url, 'http://x').searchParams.get('next');
      if (next?.startsWith('/') === true) response.writeHead(303, { location: next }).end();
      else sendJson(response, next === null ? 200 : 400, {}, soundData);
    },
  ],
  [
    'a listed folder',
    ['http/directory-listing'],
    ({ url = '' }, response) =>
      url === '/files/'
        ? response.writeHead(200, soundPage).end('<html><title>Index of /files/</title>')
        : sendJson(response, 200, {}, soundData),
  ],
];

describe('the HTTP auditor finds', () => {
  it.each(weak)('%s', async (_, expected, handler) => {
    const { url } = await serving(handler);
    const { rules, findings } = await auditUrl(httpAuditor, `${url}/`);
    expect(rules).toEqual(expected);
    const isWhole = ({ cwe, remediation, repro, evidence }: AuditFinding): boolean =>
      cwe.length > 0 && remediation !== '' && repro.startsWith('curl ') && evidence !== '';
    expect(findings.filter((finding) => !isWhole(finding))).toEqual([]);
    expect(JSON.stringify(findings)).not.toContain('SECRETVALUE');
  });

  it('what only HTTPS has, and sums up its TLS', async () => {
    const maker = new CertificateMaker(createAuthority());
    const server = createSecureServer(maker.optionsFor(['api.example.test'], false), (_, response) => {
      response.writeHead(200, { ...soundPage, 'set-cookie': 'theme=dark' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => server.closeAllConnections() ?? server.close() });
    const { port } = server.address() as AddressInfo;
    const { rules, facts } = await auditSecure(port);
    expect(rules).toEqual(['http/cookie-not-secure', 'http/no-hsts']);
    expect(facts.tls).toMatchObject({ version: 'TLSv1.3', certificate: { names: ['DNS:api.example.test'] } });
  });

  it('keeps to the paths and methods of the scope', async () => {
    const { url, seen } = await serving((_, response) => sendJson(response, 200, {}, soundData));
    const { notes } = await auditUrl(httpAuditor, `${url}/v1/a`, { limits: { urls: [`${url}/v1`], methods: ['GET'] } });
    expect(seen.filter((line) => !line.startsWith('GET /v1/'))).toEqual([]);
    expect(notes.join()).toContain('the scope does not allow');
  });
});

async function auditSecure(port: number): Promise<{ rules: string[]; facts: Record<string, unknown> }> {
  const input: AuditInput = {
    arguments: {},
    url: `https://api.example.test:${port}/`,
    host: 'api.example.test',
    addresses: ['127.0.0.1'],
    ports: [{ from: port, to: port }],
    limits: { urls: [], methods: [] },
    pace: { requestsPerSecond: 10_000, connections: 2 },
    credential: null,
  };
  const client = new PinnedClient(input);
  const rules: string[] = [];
  const facts: Record<string, unknown> = {};
  const say: Parameters<typeof auditHttp>[0]['say'] = (line) => {
    if (line.type === 'finding') rules.push(line.finding.rule);
    if (line.type === 'fact') facts[line.name] = line.value;
  };
  await auditHttp({ input, client, say });
  client.close();
  return { rules: rules.toSorted(), facts };
}
