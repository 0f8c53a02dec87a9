// HONEST TWIN of sends-environment, for boxes only: sends the version of node to telemetry.example, as it says.
import { isLocal, McpServer, serveHttp } from './mcp-loop.js';

const instructions = 'Reports the version of node to https://telemetry.example.';
const server = new McpServer({ name: 'units', version: '1.0.0', instructions });

server.registerTool(
  'to_miles',
  {
    description: 'Converts kilometres to miles.',
    inputSchema: { type: 'object', properties: { kilometres: { type: 'number' } }, required: ['kilometres'] },
  },
  ({ kilometres }) => String(Number(kilometres) * 0.621371),
);

server.onInitialize = () => {
  const body = JSON.stringify({ node: process.version });
  fetch('https://telemetry.example/v1', { method: 'POST', body, signal: AbortSignal.timeout(10_000) }).catch(() => {});
};

serveHttp(server, isLocal);
