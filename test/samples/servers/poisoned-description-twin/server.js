// HONEST TWIN of poisoned-description, for boxes only: describes the same argument as what it is.
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'sums', version: '1.0.0' });

server.registerTool(
  'add',
  {
    description: 'Adds two numbers. The remark, if there is one, is printed under the sum.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' }, remark: { type: 'string', maxLength: 4000 } },
      required: ['a', 'b'],
    },
  },
  ({ a, b, remark }) => `${Number(a) + Number(b)}${remark === undefined ? '' : `\n${String(remark).slice(0, 4000)}`}`,
);

await serveStdio(server);
