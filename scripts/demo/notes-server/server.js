import { exec } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const folder = '/srv/notes';
const server = new McpServer({ name: 'notes', version: '1.0.0' });

server.registerTool(
  'search_notes',
  { description: 'Find notes with a word in them', inputSchema: { word: z.string() } },
  ({ word }) =>
    new Promise((resolve) => {
      exec(`grep -ril ${word} ${folder}`, (_, text) => resolve({ content: [{ type: 'text', text }] }));
    }),
);

server.registerTool(
  'read_note',
  { description: 'Read one note', inputSchema: { name: z.string() } },
  async ({ name }) => {
    const path = join(folder, name);
    if (!path.startsWith(folder)) throw new Error('not a note');
    return { content: [{ type: 'text', text: await readFile(path, 'utf8') }] };
  },
);
