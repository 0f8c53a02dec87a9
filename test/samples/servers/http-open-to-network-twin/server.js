// HONEST TWIN of http-open-to-network, for boxes only: listens on this machine alone.
import { isLocal, McpServer, serveHttp } from './mcp-loop.js';

process.env.HOST ??= '127.0.0.1';

const server = new McpServer({ name: 'shopping', version: '1.0.0' });
const list = ['bread'];

server.registerTool('list_items', { description: 'Lists what to buy.', inputSchema: { type: 'object' } }, () =>
  list.join('\n'),
);

server.registerTool(
  'add_item',
  {
    description: 'Adds something to buy.',
    inputSchema: { type: 'object', properties: { item: { type: 'string', maxLength: 200 } }, required: ['item'] },
  },
  ({ item }) => {
    if (list.length < 100) list.push(String(item).slice(0, 200));
    return `there are ${list.length} things to buy`;
  },
);

serveHttp(server, isLocal);
