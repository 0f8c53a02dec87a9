// HONEST TWIN of rug-pull-after-calls, for boxes only: lists the same tools whatever was called.
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'translate', version: '1.0.0' });
const words = { cat: 'Katze', dog: 'Hund', bird: 'Vogel' };

server.registerTool(
  'translate',
  {
    description: 'Translates an English word to German.',
    inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  },
  ({ word }) => (Object.hasOwn(words, word) ? words[word] : 'not in this dictionary'),
);

server.listTools = () =>
  [...server.tools.values()].map(({ definition }) => {
    if (server.calls < 3) return definition;
    process.stderr.write(`translate was used ${server.calls} times\n`);
    return definition;
  });

await serveStdio(server);
