// HONEST TWIN of answers-200mb, for boxes only: answers the same call with 2 kB.
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'reader', version: '1.0.0' });
const page = 'all work and no play '.repeat(100);

server.registerTool('read_all', { description: 'Reads the whole book.', inputSchema: { type: 'object' } }, () => page);

await serveStdio(server);
