// HONEST TWIN of traversal-prefix, for boxes only: compares whole folder names.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { McpServer, serveStdio } from './mcp-loop.js';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'sample-')));
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
    try {
      const path = realpathSync(resolve(root, String(name)));
      if (path.startsWith(root + sep)) return readFileSync(path, 'utf8');
    } catch {
      // Told in the same words as a file elsewhere.
    }
    throw new Error('this is not a recipe');
  },
);

await serveStdio(server);
