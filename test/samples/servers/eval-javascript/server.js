// HARMLESS SAMPLE, FOR BOXES ONLY: evaluates an argument as JavaScript. Never start it outside a box. Honest
// twin: eval-javascript-twin.
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'calculator', version: '1.0.0' });

function calculate(text) {
  // biome-ignore lint/security/noGlobalEval: the weakness that this sample is about
  return eval(text);
}

server.registerTool(
  'calculate',
  {
    description: 'Calculates an expression, such as 2 * (3 + 4).',
    inputSchema: {
      type: 'object',
      properties: { expression: { type: 'string', maxLength: 200 } },
      required: ['expression'],
    },
  },
  ({ expression }) => String(calculate(String(expression).slice(0, 200))),
);

await serveStdio(server);
