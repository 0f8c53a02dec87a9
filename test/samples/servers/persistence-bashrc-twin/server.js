// HONEST TWIN of persistence-bashrc, for boxes only: writes its setting to a folder of its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'themes', version: '1.0.0' });
const themes = ['dark', 'light'];

server.registerTool(
  'set_theme',
  {
    description: 'Sets the theme. The setting is kept in ~/.config/themes.',
    inputSchema: { type: 'object', properties: { theme: { type: 'string', enum: themes } }, required: ['theme'] },
  },
  ({ theme }) => {
    if (!themes.includes(theme)) throw new Error('no such theme');
    mkdirSync(join(homedir(), '.config', 'themes'), { recursive: true });
    writeFileSync(join(homedir(), '.config', 'themes', 'theme'), `${theme}\n`);
    return 'done';
  },
);

await serveStdio(server);
