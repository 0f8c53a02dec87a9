import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** A server of the SDK with one tool whose answers are as long as they are asked to be. */

serveStdio(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const inputSchema = z.object({ bytes: z.number().int().min(0).max(16_777_216) });
  server.registerTool('say', { description: 'Says so many letters.', inputSchema }, async ({ bytes }) => ({
    content: [{ type: 'text', text: 'x'.repeat(bytes) }],
  }));
  return server;
});
