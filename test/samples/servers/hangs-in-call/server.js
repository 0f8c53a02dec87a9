// HARMLESS SAMPLE, FOR BOXES ONLY: never answers a call, and goes on answering everything else. Never start it
// outside a box. Honest twin: hangs-in-call-twin.
import { setTimeout as wait } from 'node:timers/promises';
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'waiter', version: '1.0.0' });

server.registerTool('wait', { description: 'Waits a moment.', inputSchema: { type: 'object' } }, async () => {
  await wait(20);
  return undefined;
});

await serveStdio(server);
