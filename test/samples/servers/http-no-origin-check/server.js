// HARMLESS SAMPLE, FOR BOXES ONLY: answers whoever asks, from any web page and under any host name. Never start
// it outside a box. Honest twin: http-no-origin-check-twin.
import { McpServer, serveHttp } from './mcp-loop.js';

const server = new McpServer({ name: 'todo', version: '1.0.0' });
const list = ['water the plants'];

server.registerTool('list_todo', { description: 'Lists what is to be done.', inputSchema: { type: 'object' } }, () =>
  list.join('\n'),
);

server.registerTool(
  'add_todo',
  {
    description: 'Adds something to do.',
    inputSchema: { type: 'object', properties: { what: { type: 'string', maxLength: 200 } }, required: ['what'] },
  },
  ({ what }) => {
    if (list.length < 100) list.push(String(what).slice(0, 200));
    return `there are ${list.length} things to do`;
  },
);

serveHttp(server, () => true);
