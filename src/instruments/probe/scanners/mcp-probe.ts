import { z } from 'zod';
import { defineScanner } from '../contract.ts';
import { buildOwn, credentialField, ownScanner, urlField } from './own.ts';

export const mcpProbe = defineScanner({
  ...ownScanner,
  name: 'mcp_probe',
  command: 'mcp',
  title: 'Probe an MCP endpoint',
  description:
    'Looks at an MCP endpoint over streamable HTTP: what is listed without a credential, how one is told to authorise, Host and Origin checks, CORS, session ids and their life, protocol version, errors. Tells the older SSE transport. Lists names and never calls a tool. Up to 150 requests.',
  positional: 'url',
  input: z.strictObject({
    url: urlField.describe('URL of the MCP endpoint inside the scope'),
    credential: credentialField,
  }),
  examples: [{ input: { url: 'http://127.0.0.1:8000/mcp' }, says: 'who may use the tools of a server' }],
  aim: (input, means) => means.url(input.url),
  build: (input, means) => buildOwn('mcp', input, means),
});
