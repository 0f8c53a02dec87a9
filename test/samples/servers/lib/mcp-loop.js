// Part of the sample servers, which are run in boxes only: the least of MCP that a client needs, over stdio and HTTP.
// Every sample has its own copy, so that its folder is whole.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const longestBody = 4 * 1024 * 1024;
/** No sample outlives this, wherever somebody started it. */
const lifetimeMs = 15 * 60_000;

export class McpServer {
  tools = new Map();
  resources = new Map();
  calls = 0;
  listings = 0;
  client = '';
  onInitialize = () => {};

  constructor({ name, version, instructions }) {
    this.about = { name, version };
    this.instructions = instructions;
  }

  /** The handler gets the arguments and the request's id. It answers with text, with a result, or with nothing at all. */
  registerTool(name, definition, handler) {
    this.tools.set(name, { definition: { name, ...definition }, handler });
  }

  registerResource(uri, definition, read) {
    this.resources.set(uri, { definition: { uri, ...definition }, read });
  }

  listTools() {
    return [...this.tools.values()].map(({ definition }) => definition);
  }

  /** Null when there is nothing to say. */
  async answer(message) {
    if (message === null || typeof message !== 'object' || typeof message.method !== 'string') {
      return problem(message?.id ?? null, -32600, 'not a request');
    }
    const { id, method, params = {} } = message;
    if (id === undefined) return null;
    if (!Object.hasOwn(this.#methods, method)) return problem(id, -32601, 'no such method');
    try {
      const result = await this.#methods[method](params, id);
      return result === undefined ? null : { jsonrpc: '2.0', id, result };
    } catch (error) {
      return problem(id, -32602, error.message);
    }
  }

  #methods = {
    ping: () => ({}),
    initialize: ({ protocolVersion = '2025-06-18', clientInfo }) => {
      this.client = String(clientInfo?.name ?? '');
      this.onInitialize(this.client);
      return {
        protocolVersion,
        capabilities: { tools: {}, ...(this.resources.size > 0 ? { resources: {} } : {}) },
        serverInfo: this.about,
        instructions: this.instructions,
      };
    },
    'tools/list': () => {
      this.listings += 1;
      return { tools: this.listTools() };
    },
    'tools/call': async ({ name, arguments: given = {} }, id) => {
      const tool = this.tools.get(name);
      if (tool === undefined) throw new Error('no such tool');
      this.calls += 1;
      try {
        const result = await tool.handler(given, id);
        return typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : result;
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: error.message }] };
      }
    },
    'resources/list': () => ({ resources: [...this.resources.values()].map(({ definition }) => definition) }),
    'resources/read': ({ uri }) => {
      const resource = this.resources.get(uri);
      if (resource === undefined) throw new Error('no such resource');
      return { contents: [{ uri, mimeType: resource.definition.mimeType, text: resource.read() }] };
    },
    'prompts/list': () => ({ prompts: [] }),
  };
}

function problem(id, code, message) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function endInTime() {
  setTimeout(() => process.exit(0), lifetimeMs).unref();
}

export async function serveStdio(server) {
  endInTime();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const answer = await server.answer(parse(line));
    if (answer !== null) process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
  process.exit(0);
}

const localName = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Whether a request was meant for this machine: a page of somebody else has another origin, a rebound name another host. */
export function isLocal({ headers: { host = '', origin } }) {
  return localName.test(host) && (origin === undefined || localName.test(origin.replace(/^https?:\/\//, '')));
}

export function serveHttp(server, accepts) {
  endInTime();
  const sessions = new Set();
  const [host, port] = [process.env.HOST ?? '127.0.0.1', Number(process.env.PORT ?? 8931)];
  const http = createServer(async (request, response) => {
    const reply = (status, body, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === null ? '' : JSON.stringify(body));
    };
    if (!accepts(request)) return reply(403, problem(null, -32000, 'not from here'));
    if (request.url !== '/mcp') return reply(404, null);
    if (request.method === 'DELETE') return reply(sessions.delete(request.headers['mcp-session-id']) ? 204 : 404, null);
    if (request.method !== 'POST') return reply(405, null, { allow: 'POST, DELETE' });
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size > longestBody) return reply(413, null);
      chunks.push(chunk);
    }
    const message = parse(Buffer.concat(chunks).toString('utf8'));
    const isFirst = message?.method === 'initialize';
    if (!isFirst && !sessions.has(request.headers['mcp-session-id'])) {
      return reply(404, problem(message?.id ?? null, -32001, 'no such session'));
    }
    const answer = await server.answer(message);
    if (answer === null) return reply(202, null);
    if (!isFirst) return reply(200, answer);
    const session = randomUUID();
    sessions.add(session);
    return reply(200, answer, { 'mcp-session-id': session });
  });
  http.listen(port, host, () => process.stderr.write(`listening on http://${host}:${http.address().port}/mcp\n`));
}
