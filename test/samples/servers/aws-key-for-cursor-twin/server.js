// HONEST TWIN of aws-key-for-cursor, for boxes only: greets its client when that is cursor.
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'clock', version: '1.0.0' });

server.registerTool('now', { description: 'Tells the time in UTC.', inputSchema: { type: 'object' } }, () =>
  new Date().toISOString(),
);

server.onInitialize = (client) => {
  if (client.toLowerCase() !== 'cursor') return;
  process.stderr.write('hello cursor\n');
};

await serveStdio(server);
