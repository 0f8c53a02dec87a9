import { describe, expect, it } from 'vitest';
import { type Audited, type AuditOptions, auditUrl, type Handler, sendJson, serve } from '../inquiry/sample-audit.ts';
import { graphqlAuditor } from './graphql-auditor.ts';
import { graphqlRules } from './rules.ts';
import { graphqlServer, type Weaknesses } from './sample-server.ts';

async function audited(handler: Handler, options: AuditOptions = {}): Promise<Audited> {
  const server = await serve(handler);
  try {
    return await auditUrl(graphqlAuditor, `${server.url}/graphql`, options);
  } finally {
    await server.close();
  }
}

const credential = { name: 'own', header: 'authorization', value: 'Bearer sesame-open' };

const cases: readonly { title: string; weak: Weaknesses; options?: AuditOptions; rules: readonly string[] }[] = [
  { title: 'a sound server', weak: {}, rules: [] },
  { title: 'introspection', weak: { introspection: true }, rules: ['introspection'] },
  { title: 'suggestions', weak: { suggestions: true }, rules: ['suggestions'] },
  { title: 'depth', weak: { introspection: true, depth: true }, rules: ['introspection', 'no-depth-limit'] },
  { title: 'depth that cannot be tried', weak: { depth: true }, rules: [] },
  { title: 'aliases and directives', weak: { amounts: true }, rules: ['alias-overloading', 'directive-overloading'] },
  { title: 'batching', weak: { batching: true }, rules: ['array-batching'] },
  { title: 'GET', weak: { get: true }, rules: ['get-mutations', 'get-queries'] },
  { title: 'forms', weak: { simple: true }, rules: ['simple-content-type'] },
  { title: 'traces', weak: { traces: true }, rules: ['stack-trace'] },
  { title: 'tracing', weak: { tracing: true }, rules: ['tracing'] },
  { title: 'a page', weak: { page: true }, rules: ['playground'] },
  { title: 'a closed door', weak: { needsCredential: true, introspection: true, get: true }, rules: [] },
  {
    title: 'behind the door',
    weak: { needsCredential: true, introspection: true },
    options: { credential },
    rules: ['introspection'],
  },
];

describe('graphql audit', () => {
  it.each(cases)('$title', async ({ weak, options, rules }) => {
    const { rules: found } = await audited(graphqlServer(weak), options);
    expect(found).toEqual(rules.map((rule) => `graphql/${rule}`));
  });

  it('every rule has a case', () => {
    expect([...new Set(cases.flatMap(({ rules }) => rules))].toSorted()).toEqual(Object.keys(graphqlRules).toSorted());
  });

  it.each([404, 405, 429])('an API that lists its errors alike, with %i, is no GraphQL', async (status) => {
    const { rules, facts } = await audited((_, response) =>
      sendJson(response, status, { errors: [{ message: 'no' }] }),
    );
    expect({ rules, is: facts.graphql }).toMatchObject({ rules: [], is: { is_graphql: false } });
  });

  it.each([
    ['a page that only says hello', 'https://embeddable-sandbox.cdn.example/ <title>Apollo Server</title>', []],
    ['a sandbox', '<script>new window.EmbeddedSandbox({})</script>', ['graphql/playground']],
  ] as const)('%s', async (_, page, expected) => {
    const { rules } = await audited((__, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    });
    expect(rules).toEqual(expected);
  });

  it('tells the schema, and whom it is told to', async () => {
    const open = await audited(graphqlServer({ introspection: true }), { credential });
    expect(open.facts.schema).toMatchObject({ queries: 2, mutations: 1, query_names: ['user', 'me'] });
    expect(open.findings.map(({ severity }) => severity)).toEqual(['medium']);
    const closed = await audited(graphqlServer({ introspection: true, needsCredential: true }), { credential });
    expect(closed.findings.map(({ severity }) => severity)).toEqual(['low']);
  });

  it('never sends a mutation that does more than to name its type, and nests only what is skipped', async () => {
    const bodies: string[] = [];
    const handler = graphqlServer({ introspection: true, depth: true, get: true });
    await audited((request, response, body) => {
      bodies.push(`${decodeURIComponent(request.url ?? '')} ${body}`);
      handler(request, response, body);
    });
    for (const body of bodies.filter((each) => each.includes('mutation'))) {
      expect(body).toMatch(/mutation\{__typename\}|mutationType/);
    }
    const nested = bodies.filter((body) => body.includes('friends{friends'));
    expect(nested.length).toBeGreaterThan(0);
    for (const body of nested) expect(body).toContain('me @skip(if:true)');
  });

  it('keeps to the limits of the scope', async () => {
    const server = await serve(graphqlServer({ get: true, page: true }));
    try {
      const url = `${server.url}/graphql`;
      const { rules } = await auditUrl(graphqlAuditor, url, { limits: { urls: [url], methods: ['POST'] } });
      expect(rules).toEqual([]);
      expect([...new Set(server.seen)]).toEqual(['POST /graphql']);
    } finally {
      await server.close();
    }
  });
});

const answers: Readonly<Record<string, string>> = {
  garbage: '\u0000\uffff{]',
  'deep JSON': '[{"a":'.repeat(60_000),
  'JSON of another shape': '{"data":[1],"errors":{"message":{}}}',
  'a schema of another shape':
    '{"data":{"__typename":"Q","__schema":{"types":[1,{"kind":"OBJECT","name":5}],"queryType":7}}}',
  'ten megabytes': 'x'.repeat(10 * 1024 * 1024),
  'a long list of errors': JSON.stringify({ errors: Array.from({ length: 20_000 }, () => ({ message: 'a' })) }),
};

describe('a hostile server', () => {
  it.each(Object.entries(answers))('%s', async (_, body) => {
    const { sent, notes } = await audited((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(body);
    });
    expect(sent).toBeGreaterThan(0);
    expect(notes.filter((note) => note.includes('undefined'))).toEqual([]);
  });

  it('that only hangs up is given up', async () => {
    const { sent, notes } = await audited((request) => void request.socket.destroy());
    expect(sent).toBeLessThan(20);
    expect(notes.length).toBeGreaterThan(0);
  });
});
