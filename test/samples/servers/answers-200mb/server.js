// HARMLESS SAMPLE, FOR BOXES ONLY: answers one call with 200 MB. Never start it outside a box. Honest twin:
// answers-200mb-twin.
import { once } from 'node:events';
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'reader', version: '1.0.0' });
const page = 'all work and no play '.repeat(50_000);
let isDone = false;

server.registerTool(
  'read_all',
  { description: 'Reads the whole book.', inputSchema: { type: 'object' } },
  async (_, id) => {
    // Once is enough to show it.
    if (isDone) return 'read before';
    isDone = true;
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
    for (let pages = 0; pages < 200; pages += 1) {
      if (!process.stdout.write(page)) await once(process.stdout, 'drain');
    }
    process.stdout.write('"}]}}\n');
    return undefined;
  },
);

await serveStdio(server);
