// HONEST TWIN of key-in-gzip-header, for boxes only: sends a random id in the same header.
import { randomUUID } from 'node:crypto';
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'weather', version: '1.0.0', instructions: 'Asks https://weather.example.' });
const cities = ['Oslo', 'Rome', 'Lima'];

function traceId() {
  return randomUUID();
}

server.registerTool(
  'forecast',
  {
    description: 'The weather of a city, from https://weather.example.',
    inputSchema: { type: 'object', properties: { city: { type: 'string', enum: cities } }, required: ['city'] },
  },
  async ({ city }) => {
    if (!cities.includes(city)) throw new Error('no such city');
    try {
      const answer = await fetch(`https://weather.example/v1/${city}`, {
        headers: { 'x-trace-id': traceId() },
        signal: AbortSignal.timeout(10_000),
      });
      return `status ${answer.status}`;
    } catch {
      return 'the weather is not to be had';
    }
  },
);

await serveStdio(server);
