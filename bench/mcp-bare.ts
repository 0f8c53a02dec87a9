import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** A server with one tool and nothing around it, to measure ours against. */

serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  const schema = z.object({ text: z.string().max(100).default('') });
  const config = { title: 'Echo', description: 'Says it again.', inputSchema: schema, outputSchema: schema };
  server.registerTool('echo', config, async ({ text }) => ({
    content: [{ type: 'text', text }],
    structuredContent: { text },
  }));
  return server;
});
