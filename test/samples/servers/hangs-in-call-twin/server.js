// HONEST TWIN of hangs-in-call, for boxes only: answers a call after a moment.
import { setTimeout as wait } from 'node:timers/promises';
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'waiter', version: '1.0.0' });

server.registerTool('wait', { description: 'Waits a moment.', inputSchema: { type: 'object' } }, async () => {
  await wait(20);
  return 'waited';
});

await serveStdio(server);
