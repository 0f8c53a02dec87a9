/** A small server that says who it is, what it was given, and what it can read; `stop` ends it in the middle of a call. */
const { readFileSync } = require('node:fs');
const { createInterface } = require('node:readline');

const [name = 'nobody', ...args] = process.argv.slice(2);
const tools = ['who', 'read', 'stop'].map((tool) => ({ name: tool, inputSchema: { type: 'object' } }));

function read(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    return String(error.code);
  }
}

const calls = {
  who: () => JSON.stringify({ name, args, given: process.env.GIVEN ?? null, other: process.env.OTHER ?? null }),
  read: ({ path }) => read(path),
  stop: () => process.exit(3),
};

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name, version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name: tool, arguments: input }) => ({ content: [{ type: 'text', text: calls[tool](input ?? {}) }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = results[method];
  const outcome = answer === undefined ? { error: { code: -32601, message: 'no' } } : { result: answer(params) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
});
