import { describe, expect, it } from 'vitest';
import { type Audited, type AuditOptions, auditUrl, type Handler, serve } from '../inquiry/sample-audit.ts';
import { mcpAuditor } from './mcp-auditor.ts';
import { mcpRules } from './rules.ts';
import { mcpServer, sampleToken, type Weaknesses } from './sample-server.ts';

async function audited(handler: Handler, options: AuditOptions = {}, path = '/mcp'): Promise<Audited> {
  const server = await serve(handler);
  try {
    return await auditUrl(mcpAuditor, `${server.url}${path}`, options);
  } finally {
    await server.close();
  }
}

const credential = { name: 'own', header: 'authorization', value: sampleToken };
const known = { credential };

const cases: readonly { title: string; weak: Weaknesses; options?: AuditOptions; rules: readonly string[] }[] = [
  { title: 'a sound server to a stranger', weak: {}, rules: [] },
  { title: 'a sound server to a friend', weak: {}, options: known, rules: [] },
  { title: 'a sound server with events', weak: { framing: 'sse' }, options: known, rules: [] },
  { title: 'a sound server without sessions', weak: { ids: 'none' }, options: known, rules: [] },
  { title: 'an open one', weak: { isOpen: true }, rules: ['tools-without-authentication'] },
  {
    title: 'an open one with events and resources',
    weak: { isOpen: true, framing: 'sse', resources: true },
    rules: ['resources-without-authentication', 'tools-without-authentication'],
  },
  { title: 'nothing to find the way by', weak: { metadata: 'none' }, rules: ['authorization-not-discoverable'] },
  { title: 'metadata of another', weak: { metadata: 'other' }, rules: ['resource-metadata-mismatch'] },
  { title: 'any host', weak: { anyHost: true }, options: known, rules: ['foreign-host-accepted'] },
  { title: 'any origin', weak: { anyOrigin: true }, options: known, rules: ['foreign-origin-accepted'] },
  { title: 'CORS', weak: { cors: true }, options: known, rules: ['cors-any-origin'] },
  { title: 'counted ids', weak: { ids: 'counted' }, options: known, rules: ['weak-session-id'] },
  {
    title: 'any session',
    weak: { anySession: true, undying: true },
    options: known,
    rules: ['session-survives-delete', 'unknown-session-accepted'],
  },
  { title: 'no session', weak: { noSession: true }, options: known, rules: ['session-not-required'] },
  { title: 'sessions that stay', weak: { undying: true }, options: known, rules: ['session-survives-delete'] },
  { title: 'fixation', weak: { fixation: true }, options: known, rules: ['session-fixation'] },
  {
    title: 'sessions that let in',
    weak: { sessionIsEnough: true },
    options: known,
    rules: ['session-as-authentication'],
  },
  { title: 'any version', weak: { anyVersion: true }, options: known, rules: ['protocol-version-unchecked'] },
  { title: 'a stream for all', weak: { stream: true }, options: known, rules: ['stream-without-session'] },
  { title: 'batches', weak: { batch: true }, options: known, rules: ['batch-accepted'] },
  { title: 'long ids', weak: { longId: true }, options: known, rules: ['oversized-id'] },
  { title: 'stacks', weak: { traces: 'stack' }, options: known, rules: ['stack-trace'] },
  { title: 'paths', weak: { traces: 'path' }, options: known, rules: ['stack-trace'] },
];

describe('mcp audit', () => {
  it.concurrent.each(cases)('$title', async ({ weak, options, rules }) => {
    const { rules: found } = await audited(mcpServer(weak), options);
    expect(found).toEqual(rules.map((rule) => `mcp/${rule}`));
  });

  it('every rule has a case', () => {
    const elsewhere = ['plain-http', 'legacy-sse'];
    const all = new Set([...elsewhere, ...cases.flatMap(({ rules }) => rules)]);
    expect([...all].toSorted()).toEqual(Object.keys(mcpRules).toSorted());
  });

  it('rates an open door by what is behind it', async () => {
    const severityOf = async (tools: readonly string[]) =>
      (await audited(mcpServer({ isOpen: true, tools }))).findings.map(({ severity }) => severity);
    expect(await severityOf(['weather'])).toEqual(['high']);
    expect(await severityOf(['weather', 'runShellCommand'])).toEqual(['critical']);
    expect(await severityOf([])).toEqual([]);
  });

  it('never calls a tool, leaves no session and shows none', async () => {
    const bodies: string[] = [];
    const open = new Set<string>();
    const weak = mcpServer({ anyVersion: true, sessionIsEnough: true }, open);
    let most = 0;
    const result = await audited((request, response, body) => {
      bodies.push(body);
      weak(request, response, body);
      most = Math.max(most, open.size);
    }, known);
    expect(most).toBeGreaterThan(1);
    expect(bodies.filter((body) => body.includes('tools/call') || body.includes('resources/read'))).toEqual([]);
    expect([...open]).toEqual([]);
    const said = JSON.stringify(result);
    expect(result.rules).toContain('mcp/session-as-authentication');
    expect(/[0-9a-f]{8}-[0-9a-f]{4}-4/.test(said)).toBe(false);
    expect(said).not.toContain('sesame');
  });

  it('knows the older transport by its first event', async () => {
    const handler: Handler = (request, response) => {
      if (request.method !== 'GET' || request.url !== '/sse') {
        response.writeHead(404);
        response.end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages?sessionId=abc\n\n');
    };
    const { rules, facts } = await audited(handler);
    expect(rules).toEqual(['mcp/legacy-sse']);
    expect(facts.legacy_sse).toMatchObject({ endpoint: '/messages' });
  });

  it('keeps to the limits of the scope', async () => {
    const server = await serve(mcpServer({ undying: true, stream: true, cors: true }));
    try {
      const url = `${server.url}/mcp`;
      await auditUrl(mcpAuditor, url, { ...known, limits: { urls: [url], methods: ['POST'] } });
      expect([...new Set(server.seen)]).toEqual(['POST /mcp']);
    } finally {
      await server.close();
    }
  });
});

const hello = '{"jsonrpc":"2.0","id":"1","result":{"capabilities":{},"tools":[1,{"name":{}}],"nextCursor":';
const hostile: Readonly<Record<string, Handler>> = {
  garbage: (_, response) => void response.end('\u0000{]'),
  'deep JSON': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('[{"a":'.repeat(60_000));
  },
  'ten megabytes': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`${hello}"${'x'.repeat(10 * 1024 * 1024)}"}}`);
  },
  'lists without an end': (_, response, body) => {
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'x'.repeat(5000) });
    response.end(`${hello}"${body.length}-${Math.random()}"}}`);
  },
  'events without an end': (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(`data: ${'x'.repeat(60_000)}\n\n`), 1);
    request.socket.on('close', () => clearInterval(timer));
  },
};

describe('a hostile server', () => {
  it.concurrent.each(Object.entries(hostile))('%s', async (_, handler) => {
    const { sent, notes } = await audited(handler);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(150);
    expect(notes.join().length).toBeLessThan(20_000);
  });
});
