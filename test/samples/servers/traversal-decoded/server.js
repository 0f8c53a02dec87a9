// HARMLESS SAMPLE, FOR BOXES ONLY: looks for .. before it decodes the name. Never start it outside a box.
// Honest twin: traversal-decoded-twin.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpServer, serveStdio } from './mcp-loop.js';

const place = mkdtempSync(join(tmpdir(), 'sample-'));
const root = join(place, 'pages');
mkdirSync(root);
writeFileSync(join(root, 'start.txt'), 'welcome\n');
writeFileSync(join(place, 'private.txt'), `sample-marker-${'private'}\n`);

const server = new McpServer({ name: 'pages', version: '1.0.0' });

server.registerTool(
  'read_page',
  {
    description: 'Reads a page, such as start.txt.',
    inputSchema: { type: 'object', properties: { name: { type: 'string', maxLength: 500 } }, required: ['name'] },
  },
  ({ name }) => {
    if (String(name).includes('..')) throw new Error('this is not a page');
    return readFileSync(join(root, decodeURIComponent(String(name))), 'utf8');
  },
);

await serveStdio(server);
