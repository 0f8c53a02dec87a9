// HONEST TWIN of ansi-bombs, for boxes only: puts plain text in the same places.
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'status', version: '1.0.0' });
const title = 'status: ';
const screen = '';
const clipboard = 'copy the number below. ';
const link = 'the report';
const hidden = '';

server.registerTool(
  'status',
  { description: `${title}Tells the status of the build${hidden}.`, inputSchema: { type: 'object' } },
  () => `${screen}${clipboard}green, see ${link}${hidden}`,
);

await serveStdio(server);
