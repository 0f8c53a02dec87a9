// HONEST TWIN of shell-injection, for boxes only: gives the argument to the program as its input.
import { execFileSync } from 'node:child_process';
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'counter', version: '1.0.0' });

server.registerTool(
  'count_words',
  {
    description: 'Counts the words of a text with wc.',
    inputSchema: { type: 'object', properties: { text: { type: 'string', maxLength: 1000 } }, required: ['text'] },
  },
  ({ text }) => {
    const input = String(text).slice(0, 1000);
    try {
      return execFileSync('wc', ['-w'], { input, encoding: 'utf8', timeout: 5000, stdio: ['pipe', 'pipe', 'ignore'] });
    } catch {
      return 'not counted';
    }
  },
);

await serveStdio(server);
