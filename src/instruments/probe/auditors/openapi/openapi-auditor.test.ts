import { describe, expect, it } from 'vitest';
import { type Audited, type AuditOptions, auditUrl, type Handler, sendJson, serve } from '../inquiry/sample-audit.ts';
import { openapiAuditor } from './openapi-auditor.ts';
import { openapiRules } from './rules.ts';
import { sampleApi, sampleDocument, sampleToken, type Weaknesses } from './sample-api.ts';

const credential = { name: 'own', header: 'authorization', value: sampleToken };
const known = { credential };

async function audited(handler: Handler, options: AuditOptions = known, path = '/v2'): Promise<Audited> {
  const server = await serve(handler);
  try {
    return await auditUrl(openapiAuditor, `${server.url}${path}`, options);
  } finally {
    await server.close();
  }
}

const secret = ['q8Zt', 'v3Lw', 'x9Rk', 'm2Bd'].join('');

const cases: readonly { title: string; weak: Weaknesses; options?: AuditOptions; rules: readonly string[] }[] = [
  { title: 'a sound API to a friend', weak: {}, rules: [] },
  { title: 'a sound API to a stranger', weak: {}, options: {}, rules: [] },
  { title: 'a sound API that answers everything with a page', weak: { softMissing: true }, rules: [] },
  { title: 'a sound API that is written to', weak: {}, options: { ...known, arguments: { writes: true } }, rules: [] },
  { title: 'a path that another template takes', weak: { overlap: true }, rules: [] },
  { title: 'a missing operation', weak: { missing: true }, rules: ['operation-missing'] },
  { title: 'another method', weak: { otherMethod: 'served' }, rules: ['undocumented-method'] },
  { title: 'an offered method', weak: { otherMethod: 'offered' }, rules: ['undocumented-method'] },
  { title: 'a neighbour', weak: { neighbour: '/debug' }, rules: ['undocumented-endpoint'] },
  {
    title: 'a neighbour among pages',
    weak: { neighbour: '/admin', softMissing: true },
    rules: ['undocumented-endpoint'],
  },
  { title: 'an old version', weak: { oldVersion: true }, rules: ['undocumented-endpoint'] },
  { title: 'no credential asked for', weak: { noCredential: true }, rules: ['authentication-missing'] },
  {
    title: 'no credential asked of a stranger',
    weak: { noCredential: true },
    options: {},
    rules: ['authentication-missing'],
  },
  { title: 'any credential', weak: { anyCredential: true }, rules: ['credential-not-checked'] },
  { title: 'an open write', weak: { openWrite: true }, rules: ['unprotected-write'] },
  { title: 'loose types', weak: { loose: true }, rules: ['input-not-enforced'] },
  { title: 'failing', weak: { failing: true }, rules: ['unhandled-input'] },
  { title: 'another status', weak: { status: 203 }, rules: ['undeclared-response'] },
  { title: 'another type', weak: { html: true }, rules: ['undeclared-response'] },
  { title: 'more fields', weak: { fields: { colour: 'x' } }, rules: ['excess-data'] },
  { title: 'plain http', weak: { plainServer: true }, rules: ['plain-http-server'] },
  { title: 'a secret', weak: { secret }, rules: ['secret-in-document'] },
  { title: 'a key in the query', weak: { keyInQuery: true }, rules: ['api-key-in-query'] },
];

describe('openapi audit', () => {
  it.each(cases)('$title', async ({ weak, options, rules }) => {
    const { rules: found } = await audited(sampleApi(weak), options);
    expect(found).toEqual(rules.map((rule) => `openapi/${rule}`));
  });

  it('every rule has a case', () => {
    expect([...new Set(cases.flatMap(({ rules }) => rules))].toSorted()).toEqual(Object.keys(openapiRules).toSorted());
  });

  it('rates what it sees', async () => {
    const secretField = await audited(sampleApi({ fields: { passwordHash: '5up3r-h4sh-value' } }));
    expect(secretField.findings.map(({ severity }) => severity)).toEqual(['high', 'high']);
    expect(JSON.stringify(secretField)).toContain('boss.passwordHash');
    expect(JSON.stringify(secretField)).not.toContain('5up3r-h4sh-value');
    const proven = await audited(sampleApi({ noCredential: true }));
    expect(proven.findings.map((finding) => finding.evidence_class)).toEqual(['A', 'A']);
    const told = await audited(sampleApi({ noCredential: true }), {});
    expect(told.findings.map((finding) => finding.evidence_class)).toEqual(['B', 'B']);
    expect(JSON.stringify(await audited(sampleApi({ secret })))).not.toContain(secret);
  });

  it('reads and never writes, unless it may', async () => {
    const server = await serve(sampleApi({ loose: true }));
    try {
      await auditUrl(openapiAuditor, `${server.url}/v2`, known);
      const used = new Set(server.seen.map((each) => each.split(' ', 1)[0]));
      expect([...used].toSorted()).toEqual(['GET', 'OPTIONS']);
      const written = await auditUrl(openapiAuditor, `${server.url}/v2`, { ...known, arguments: { writes: true } });
      expect(server.seen).toContain('POST /v2/people');
      expect(written.findings.map(({ title }) => title)).toContain(
        'Forbidden input is accepted: POST /people, body id',
      );
    } finally {
      await server.close();
    }
  });

  it('takes the document as text, as YAML and from a URL', async () => {
    const yaml =
      'swagger: "2.0"\nbasePath: /v2\npaths:\n  /people:\n    get:\n      parameters:\n        - {name: limit, in: query, type: integer}\n      responses: {200: {description: ok}}\n';
    const weak = sampleApi({ loose: true });
    const asText = await audited(weak, { ...known, arguments: { document: JSON.stringify(sampleDocument({})) } });
    expect(asText.rules).toEqual(['openapi/input-not-enforced']);
    const asYaml = await audited(weak, { ...known, arguments: { document: yaml } }, '/');
    expect(asYaml.facts.api).toMatchObject({ format: '2.0', operations: 1 });
    expect(asYaml.rules).toContain('openapi/input-not-enforced');
    const server = await serve(weak);
    try {
      const options = { ...known, arguments: { document_url: `${server.url}/openapi.json` } };
      expect((await auditUrl(openapiAuditor, server.url, options)).rules).toEqual(['openapi/input-not-enforced']);
    } finally {
      await server.close();
    }
  });

  it('keeps to the limits of the scope, wherever the document points', async () => {
    const server = await serve(sampleApi({}));
    try {
      const document = JSON.stringify({
        openapi: '3.1.0',
        servers: [{ url: 'http://192.0.2.99/elsewhere' }],
        paths: {
          '/people': { get: {} },
          '/../../admin': { get: {} },
          '//192.0.2.99/x': { get: {} },
          '/{a}': { get: { parameters: [{ name: 'a', in: 'path', example: '../../admin' }] } },
        },
      });
      await auditUrl(openapiAuditor, `${server.url}/v2`, {
        arguments: { document },
        limits: { urls: [`${server.url}/v2`], methods: ['GET'] },
      });
      expect(server.seen.length).toBeGreaterThan(3);
      expect(server.seen.filter((each) => !each.startsWith('GET /v2'))).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

const manyPaths = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`/p${at}`, { get: {} }]));
const hostile: Readonly<Record<string, string>> = {
  garbage: '\u0000{]',
  'a list': '[1,2]',
  'another kind of document': '{"name":"x"}',
  'deep JSON': `{"openapi":"3.0.0","paths":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
  'deep YAML': `openapi: 3.0.0\npaths: ${'['.repeat(20_000)}`,
  'a bomb of aliases': `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(',')}]`).join('\n')}\nopenapi: 3.0.0`,
  'circles of references': JSON.stringify({
    openapi: '3.0.0',
    paths: {
      '/a': { $ref: '#/paths/~1a' },
      '/b': {
        get: {
          parameters: [{ $ref: '#/x' }, { name: 'q', in: 'query', required: true, schema: { $ref: '#/s' } }],
          responses: { '200': { content: { 'application/json': { schema: { $ref: '#/s' } } } } },
        },
      },
    },
    x: { $ref: '#/y' },
    y: { $ref: '#/x' },
    s: {
      allOf: [{ $ref: '#/s' }, { $ref: '#/s' }],
      oneOf: [{ $ref: '#/s' }],
      properties: { a: { $ref: '#/s' } },
      required: ['a'],
      items: { $ref: '#/s' },
    },
  }),
  'ten thousand paths': JSON.stringify({ openapi: '3.0.0', paths: manyPaths }),
  'patterns that explode': JSON.stringify({
    openapi: '3.0.0',
    paths: {
      '/a': {
        get: {
          parameters: [
            {
              name: 'q',
              in: 'query',
              required: true,
              schema: { type: 'string', pattern: '^(a+)+$', example: `${'a'.repeat(5000)}!` },
            },
          ],
        },
      },
    },
  }),
  'names that are not names': JSON.stringify({
    openapi: '3.0.0',
    paths: {
      '/a\r\nx: y': {
        get: {
          parameters: [
            { name: 'a\r\nb', in: 'header', required: true, example: 'c\r\nd' },
            { name: 'Host', in: 'header', required: true, example: 'evil.invalid' },
          ],
        },
      },
      '/{__proto__}': { get: {} },
    },
  }),
};

describe('a hostile document', () => {
  it.each(Object.entries(hostile))('%s', async (_, document) => {
    const hosts = new Set<string | undefined>();
    const { sent, notes } = await audited(
      (request, response) => {
        hosts.add(request.headers.host);
        sendJson(response, 200, { a: { a: { a: 1 } } });
      },
      { arguments: { document } },
    );
    expect(sent).toBeLessThanOrEqual(1800);
    expect([...hosts].filter((host) => host?.includes('evil'))).toEqual([]);
    expect(notes.join().length).toBeLessThan(20_000);
  });
});

const answers: Readonly<Record<string, string>> = {
  garbage: '\u0000\uffff{]',
  'deep JSON': `${'[{"a":'.repeat(60_000)}`,
  'deep JSON that is whole': `${'{"boss":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'more than is read': 'x'.repeat(3 * 1024 * 1024),
};

describe('a hostile server', () => {
  it.each(Object.entries(answers))('%s', async (_, body) => {
    const { sent } = await audited(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(body);
      },
      { arguments: { document: JSON.stringify(sampleDocument({})) } },
    );
    expect(sent).toBeGreaterThan(3);
  });
});
