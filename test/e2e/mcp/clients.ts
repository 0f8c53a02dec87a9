import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { cleanEnvironment, program } from '../hotcell.ts';

/** The same few calls, by clients of both generations. */

export interface AnyClient {
  readonly version: string;
  tools(): Promise<readonly string[]>;
  call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface Place {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Over HTTP instead of stdio. */
  readonly url?: string;
  readonly token?: string;
}

export type Mode = 'legacy' | 'auto' | { readonly pin: string };

function stdioOf({ args = [], environment = {} }: Place) {
  return { command: program, args: ['mcp', ...args], env: cleanEnvironment(environment), stderr: 'ignore' as const };
}

function authorization(token: string | undefined): RequestInit {
  return token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
}

export async function openClient(mode: Mode, place: Place = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport: Transport =
    place.url === undefined
      ? new StdioClientTransport(stdioOf(place))
      : new StreamableHTTPClientTransport(new URL(place.url), { requestInit: authorization(place.token) });
  await client.connect(transport);
  return client;
}

export async function openNew(mode: Mode, place: Place): Promise<AnyClient> {
  const client = await openClient(mode, place);
  return {
    version: client.getNegotiatedProtocolVersion() ?? '',
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input) => client.callTool({ name, arguments: input }),
    close: () => client.close(),
  };
}

export async function openOld(place: Place): Promise<AnyClient> {
  const client = new OldClient({ name: 'test', version: '1' });
  const transport =
    place.url === undefined
      ? new OldStdioTransport(stdioOf(place))
      : new OldHttpTransport(new URL(place.url), { requestInit: authorization(place.token) });
  // Its own types of an optional field do not fit its own interface under exact optional properties.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    version: '2025-11-25',
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input) => client.callTool({ name, arguments: input }),
    close: () => client.close(),
  };
}
