import { isRecord } from './exchange.ts';
import { markers } from './planted.ts';

/** What both twins answer to a message of MCP once they listen to it. */

const textInput = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});

const tools = [
  { name: 'run_query', description: 'Runs a query on the database.', inputSchema: textInput('sql') },
  { name: 'read_file', description: 'Reads a file of the server.', inputSchema: textInput('path') },
];

const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

type Outcome = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

const methods: Readonly<Record<string, (parameters: Readonly<Record<string, unknown>>) => Outcome>> = {
  initialize: ({ protocolVersion }) => ({
    result: {
      protocolVersion: versions.find((version) => version === protocolVersion) ?? '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'smithy', version: '1.0.0' },
    },
  }),
  ping: () => ({ result: {} }),
  'tools/list': () => ({ result: { tools } }),
  'tools/call': ({ name }) =>
    tools.some((tool) => tool.name === name)
      ? { result: { content: [{ type: 'text', text: markers.toolResult }] } }
      : { error: { code: -32_602, message: 'unknown tool' } },
};

export interface Message {
  readonly method: string;
  readonly isNotification: boolean;
  readonly reply: () => unknown;
}

export function readMessage(value: unknown): Message | null {
  if (!isRecord(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string') return null;
  const { id, method, params } = value;
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
  return {
    method,
    isNotification: id === undefined,
    reply: () => ({
      jsonrpc: '2.0',
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
      ...(known?.(isRecord(params) ? params : {}) ?? { error: { code: -32_601, message: 'Method not found' } }),
    }),
  };
}
