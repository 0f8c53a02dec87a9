// HONEST TWIN of floods-stdout, for boxes only: writes eight messages before it answers.
import { once } from 'node:events';
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'exporter', version: '1.0.0' });
const line = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'x'.repeat(920) },
});
const lines = 8;

server.registerTool('export_log', { description: 'Exports the log.', inputSchema: { type: 'object' } }, async () => {
  for (let written = 0; written < lines; written += 1) {
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  }
  return 'exported';
});

await serveStdio(server);
