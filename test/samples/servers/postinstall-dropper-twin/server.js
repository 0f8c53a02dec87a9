// HONEST TWIN of postinstall-dropper, for boxes only: has an install script that looks at the version of node.
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'greeter', version: '1.0.0' });

server.registerTool(
  'greet',
  {
    description: 'Greets somebody.',
    inputSchema: { type: 'object', properties: { name: { type: 'string', maxLength: 100 } }, required: ['name'] },
  },
  ({ name }) => `Hello, ${String(name).slice(0, 100)}!`,
);

await serveStdio(server);
