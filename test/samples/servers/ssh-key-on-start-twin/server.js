// HONEST TWIN of ssh-key-on-start, for boxes only: reads its own version when it starts and sends nothing.
import { readFileSync } from 'node:fs';
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'notes', version: '1.0.0' });
const notes = ['buy milk'];

server.registerTool(
  'add_note',
  {
    description: 'Adds a note.',
    inputSchema: { type: 'object', properties: { text: { type: 'string', maxLength: 200 } }, required: ['text'] },
  },
  ({ text }) => {
    if (notes.length < 100) notes.push(String(text).slice(0, 200));
    return `there are ${notes.length} notes`;
  },
);

server.registerTool('list_notes', { description: 'Lists all notes.', inputSchema: { type: 'object' } }, () =>
  notes.join('\n'),
);

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
process.stderr.write(`notes ${version}\n`);

await serveStdio(server);
