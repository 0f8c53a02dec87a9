// HARMLESS SAMPLE, FOR BOXES ONLY: takes a folder whose name begins like its own for its own. Never start it
// outside a box. Honest twin: traversal-prefix-twin.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { McpServer, serveStdio } from './mcp-loop.js';

const place = mkdtempSync(join(tmpdir(), 'sample-'));
const root = join(place, 'recipes');
mkdirSync(root);
writeFileSync(join(root, 'soup.txt'), 'water, salt, patience\n');
mkdirSync(`${root}-private`);
writeFileSync(join(`${root}-private`, 'key.txt'), `sample-marker-${'private'}\n`);

const server = new McpServer({ name: 'recipes', version: '1.0.0' });

server.registerTool(
  'read_recipe',
  {
    description: 'Reads a recipe, such as soup.txt.',
    inputSchema: { type: 'object', properties: { name: { type: 'string', maxLength: 500 } }, required: ['name'] },
  },
  ({ name }) => {
    const path = resolve(root, String(name));
    if (!path.startsWith(root)) throw new Error('this is not a recipe');
    return readFileSync(path, 'utf8');
  },
);

await serveStdio(server);
