/**
 * What the servers of this folder say, whatever carries it. Harmless, and without a single dependency.
 * `speak(version)` returns a function from a message to its answer, or to null where there is none.
 */

const modern = '2026-07-28';
const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

function list(cursor) {
  return cursor === undefined
    ? { tools: [{ name: 'echo', description: 'says it again', inputSchema: schema }], nextCursor: 'two' }
    : { tools: [{ name: 'where', description: 'says where it runs', inputSchema: { type: 'object' } }] };
}

function call({ name, arguments: input }) {
  if (name === 'exit') process.exit(3);
  if (name === 'where') return { content: [{ type: 'text', text: `${process.cwd()} ${process.getuid()}` }] };
  return { content: [{ type: 'text', text: `you said ${input?.text}` }] };
}

export function speak(version) {
  const refuse = (id, code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });
  const results = {
    'tools/list': ({ cursor }) => list(cursor),
    'tools/call': call,
    'resources/list': () => ({ resources: [{ uri: 'memo:///a', name: 'a' }] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'a memo' }] }),
    'prompts/list': () => ({ prompts: [{ name: 'ask', arguments: [{ name: 'what', required: true }] }] }),
    'prompts/get': ({ arguments: input }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `what is ${input.what}?` } }],
    }),
  };
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const serverInfo = { name: 'tiny', version: '0.1.0' };
  return ({ id, method, params = {} }) => {
    if (id === undefined) return null;
    if (version === modern) {
      if (params._meta?.['io.modelcontextprotocol/protocolVersion'] !== modern)
        return refuse(id, -32022, 'Unsupported protocol version');
      const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
      if (method === 'server/discover') {
        return {
          jsonrpc: '2.0',
          id,
          result: { resultType: 'complete', supportedVersions: [modern], capabilities, _meta },
        };
      }
    } else if (method === 'initialize') {
      if (params.protocolVersion !== version)
        return refuse(id, -32602, `Unsupported protocol version ${params.protocolVersion}`);
      return {
        jsonrpc: '2.0',
        id,
        result: { protocolVersion: version, capabilities, serverInfo, instructions: 'be kind' },
      };
    }
    if (!Object.hasOwn(results, method)) return refuse(id, -32601, 'Method not found');
    return {
      jsonrpc: '2.0',
      id,
      result: { ...(version === modern ? { resultType: 'complete' } : {}), ...results[method](params) },
    };
  };
}
