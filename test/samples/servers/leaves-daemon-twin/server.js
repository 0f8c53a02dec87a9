// HONEST TWIN of leaves-daemon, for boxes only: waits for the process that it started.
import { execFileSync } from 'node:child_process';
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'watcher', version: '1.0.0' });

server.registerTool('watch', { description: 'Waits for the build.', inputSchema: { type: 'object' } }, () => {
  execFileSync('sleep', ['0.05'], { stdio: 'ignore', timeout: 5000 });
  return 'the build is done';
});

await serveStdio(server);
