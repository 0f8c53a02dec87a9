import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Handler, sendJson } from '../inquiry/sample-audit.ts';

/** For tests: an MCP endpoint that can be weak in each of the ways that the auditor knows, or in none. */

export interface Weaknesses {
  readonly isOpen?: boolean;
  readonly tools?: readonly string[];
  readonly resources?: boolean;
  readonly metadata?: 'none' | 'other';
  readonly anyHost?: boolean;
  readonly anyOrigin?: boolean;
  readonly cors?: boolean;
  readonly ids?: 'counted' | 'none';
  readonly anySession?: boolean;
  readonly noSession?: boolean;
  readonly undying?: boolean;
  readonly fixation?: boolean;
  readonly sessionIsEnough?: boolean;
  readonly anyVersion?: boolean;
  readonly stream?: boolean;
  readonly batch?: boolean;
  readonly longId?: boolean;
  readonly traces?: 'stack' | 'path';
  readonly framing?: 'sse';
}

export const sampleToken = 'Bearer sesame-open';
const version = '2025-11-25';

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown };
}

function results(weak: Weaknesses): Readonly<Record<string, unknown>> {
  return {
    initialize: { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: 'sample', version: '1' } },
    ping: {},
    'tools/list': { tools: (weak.tools ?? ['weather']).map((name) => ({ name, inputSchema: { type: 'object' } })) },
    'resources/list': { resources: weak.resources ? [{ uri: 'memo:///a', name: 'a' }] : [] },
    'prompts/list': { prompts: [] },
  };
}

/** `sessions` are those that are open. */
export function mcpServer(weak: Weaknesses, sessions = new Set<string>()): Handler {
  let count = 0;
  const refuse = (response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}) => {
    const traces = { stack: 'Error\n    at run (/srv/app/index.js:3:1)', path: 'in /srv/app/tools/list.py', none: '' };
    const text = status === 400 || status === 200 ? `${message} ${traces[weak.traces ?? 'none']}` : message;
    sendJson(response, status, { jsonrpc: '2.0', id: null, error: { code: -32600, message: text.trim() } }, headers);
  };
  const isKnown = (request: IncomingMessage): boolean => request.headers.authorization === sampleToken;

  const answerOne = (message: Message): unknown => {
    const known = results(weak);
    const { method, id, params } = message;
    if (
      typeof method !== 'string' ||
      !Object.hasOwn(known, method) ||
      (params !== undefined && typeof params !== 'object')
    ) {
      const trace = weak.traces === 'stack' ? '\n    at run (/srv/app/index.js:3:1)' : '';
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `no such method${trace}` } };
    }
    return { jsonrpc: '2.0', id, result: known[method] };
  };

  return (request, response, body) => {
    const { origin, host = '', 'mcp-session-id': given } = request.headers;
    const session = typeof given === 'string' ? given : undefined;
    const url = new URL(request.url ?? '/', 'http://x');
    const own = `http://${host}`;
    if (weak.cors) response.setHeader('access-control-allow-origin', '*');
    if (!weak.anyHost && !/^127\.0\.0\.1:\d+$/.test(host)) return refuse(response, 403, 'not this host');
    if (!weak.anyOrigin && origin !== undefined) return refuse(response, 403, 'not this origin');
    if (url.pathname.startsWith('/.well-known/') && weak.metadata !== 'none') {
      const resource = weak.metadata === 'other' ? 'https://other.invalid/mcp' : `${own}/mcp`;
      return sendJson(response, 200, { resource, authorization_servers: ['https://login.invalid'] });
    }
    if (url.pathname !== '/mcp') return sendJson(response, 404, {});
    const isLetIn =
      weak.isOpen || isKnown(request) || (weak.sessionIsEnough && session !== undefined && sessions.has(session));
    if (!isLetIn) {
      const challenge =
        weak.metadata === 'none'
          ? {}
          : { 'www-authenticate': `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource/mcp"` };
      return refuse(response, 401, 'who are you?', challenge);
    }
    if (request.method === 'DELETE') {
      if (session === undefined || !sessions.has(session)) return refuse(response, 404, 'no such session');
      if (!weak.undying) sessions.delete(session);
      response.writeHead(204);
      return response.end();
    }
    if (request.method === 'GET') {
      if (!weak.stream) return refuse(response, 400, 'no session');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.write(': hello\n\n');
    }
    if (request.method !== 'POST') return refuse(response, 405, 'no such method');
    let message: Message | readonly Message[];
    try {
      message = JSON.parse(body);
    } catch {
      return refuse(response, 400, 'not JSON');
    }
    if (typeof message !== 'object' || message === null) return refuse(response, 400, 'no message');
    const isFirst = !Array.isArray(message) && (message as Message).method === 'initialize';
    const headers: Record<string, string> = {};
    if (isFirst && weak.ids !== 'none') {
      count += 1;
      const id =
        weak.fixation && session !== undefined
          ? session
          : weak.ids === 'counted'
            ? `session-${String(count).padStart(12, '0')}`
            : randomUUID();
      sessions.add(id);
      headers['mcp-session-id'] = id;
    }
    if (!isFirst && weak.ids !== 'none') {
      if (session === undefined && !weak.noSession) return refuse(response, 400, 'no session');
      if (session !== undefined && !weak.anySession && !sessions.has(session))
        return refuse(response, 404, 'no such session');
    }
    const asked = request.headers['mcp-protocol-version'];
    if (!weak.anyVersion && asked !== undefined && asked !== version) return refuse(response, 400, 'no such version');
    if (Array.isArray(message)) {
      if (!weak.batch) return refuse(response, 400, 'one at a time');
      return sendJson(response, 200, message.map(answerOne));
    }
    const one = message as Message;
    if (!weak.longId && typeof one.id === 'string' && one.id.length > 100) return refuse(response, 400, 'too long');
    if (one.id === undefined) {
      response.writeHead(202);
      return response.end();
    }
    if (weak.framing !== 'sse') return sendJson(response, 200, answerOne(one), headers);
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    return response.end(`: first\n\nevent: message\ndata: ${JSON.stringify(answerOne(one))}\n\n`);
  };
}
