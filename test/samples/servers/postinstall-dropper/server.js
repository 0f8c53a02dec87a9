// HARMLESS SAMPLE, FOR BOXES ONLY: has an install script that writes a file into the home folder and tells
// drop.example. Never start it outside a box. Honest twin: postinstall-dropper-twin.
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
