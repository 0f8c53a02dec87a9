import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import {
  type Audited,
  type AuditOptions,
  auditUrl,
  serve,
} from '../../../src/instruments/probe/auditors/inquiry/sample-audit.ts';
import { mcpAuditor } from '../../../src/instruments/probe/auditors/mcp/mcp-auditor.ts';

/** Servers of the SDK, as people set them up: by its example, and with everything that it offers for protection. */

type Serve = (request: Request) => Promise<Response>;

const credential = { name: 'own', header: 'authorization', value: 'Bearer sesame-open' };

function makeServer(): McpServer {
  const server = new McpServer({ name: 'sample', version: '1' });
  server.registerTool('run_shell', { description: 'never called' }, () => {
    throw new Error('a tool was called');
  });
  return server;
}

function withSessions(): Serve {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const session = request.headers.get('mcp-session-id');
    const known = session === null ? undefined : transports.get(session);
    if (known !== undefined) return await known.handleRequest(request);
    if (session !== null) return new Response('no such session', { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id: string) => void transports.set(id, transport),
      onsessionclosed: (id: string) => void transports.delete(id),
    });
    await makeServer().connect(transport);
    return await transport.handleRequest(request);
  };
}

function protectedBy(inner: Serve): Serve {
  return async (request) => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused !== undefined) return refused;
    const isMetadata = new URL(request.url).pathname.startsWith('/.well-known/');
    if (isMetadata) {
      const resource = `http://${request.headers.get('host')}/mcp`;
      return Response.json({ resource, authorization_servers: ['https://login.invalid'] });
    }
    if (request.headers.get('authorization') === credential.value) return await inner(request);
    return new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  };
}

async function pass(answer: Serve, request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const asked = new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    signal: gone.signal,
    ...(hasBody ? { body } : {}),
  });
  const given = await answer(asked);
  response.writeHead(given.status, Object.fromEntries(given.headers));
  if (given.body !== null) for await (const part of given.body) response.write(part);
  response.end();
}

async function audited(answer: Serve, options: AuditOptions = {}): Promise<Audited> {
  const server = await serve((request, response, body) => {
    pass(answer, request, response, body).catch(() => response.destroy());
  });
  try {
    return await auditUrl(mcpAuditor, `${server.url}/mcp`, options);
  } finally {
    await server.close();
  }
}

/** What the SDK does by itself, however it is set up; both are no more than information. */
const ofTheSdk = new Set(['mcp/oversized-id', 'mcp/batch-accepted']);
const rulesOf = ({ rules }: Audited): readonly string[] => rules.filter((rule) => !ofTheSdk.has(rule));

describe('a server of the SDK', () => {
  it('with sessions, by its example', async () => {
    const result = await audited(withSessions());
    expect(rulesOf(result)).toEqual([
      'mcp/foreign-host-accepted',
      'mcp/foreign-origin-accepted',
      'mcp/tools-without-authentication',
    ]);
    expect(result.facts.tools).toEqual(['run_shell']);
    expect(result.facts.mcp).toMatchObject({ has_sessions: true, server: 'sample 1' });
  });

  it('without sessions, of the newer protocol', async () => {
    const handler = createMcpHandler(() => makeServer());
    const result = await audited((request) => handler.fetch(request));
    expect(rulesOf(result)).toContain('mcp/tools-without-authentication');
    expect(result.facts.tools).toEqual(['run_shell']);
    expect(result.facts.mcp).toMatchObject({ has_sessions: false });
  });

  it('with all of its protection', async () => {
    expect(rulesOf(await audited(protectedBy(withSessions())))).toEqual([]);
    expect(rulesOf(await audited(protectedBy(withSessions()), { credential }))).toEqual([]);
  });
});
