// HONEST TWIN of resource-escape, for boxes only: reads the files that it offers, and no others.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { McpServer, serveStdio } from './mcp-loop.js';

const root = fileURLToPath(new URL('./notes/', import.meta.url));

class Notes extends Map {
  get(uri) {
    if (!this.has(uri)) return undefined;
    const read = () => readFileSync(fileURLToPath(uri), 'utf8').slice(0, 100_000);
    return { definition: { mimeType: 'text/plain' }, read };
  }
}

const server = new McpServer({ name: 'notes', version: '1.0.0' });
server.resources = new Notes();

for (const name of readdirSync(root)) {
  server.registerResource(pathToFileURL(`${root}${name}`).href, { name, mimeType: 'text/plain' });
}

server.registerTool(
  'count_notes',
  { description: 'Says how many notes there are.', inputSchema: { type: 'object' } },
  () => `there are ${readdirSync(root).length} notes`,
);

await serveStdio(server);
