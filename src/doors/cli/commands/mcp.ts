import { z } from 'zod';
import { defineCommand } from '../definition.ts';

/** What every command that serves takes, as the command line hands it over. */
export const serveShape = {
  transport: z.string().optional(),
  httpHost: z.string().optional(),
  httpPort: z.string().optional(),
  httpToken: z.string().optional(),
  httpAllowHost: z.array(z.string()).default([]),
  insecureNoAuth: z.boolean().default(false),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
  readOnly: z.boolean().default(false),
  allowTool: z.array(z.string()).default([]),
  denyTool: z.array(z.string()).default([]),
  printConfig: z.string().optional(),
};

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'serve the tools to AI agents, over stdio or HTTP',
  description: [
    'Serve toolsets as an MCP server: what a person does with these commands, an agent does with these tools.',
    'Speaks protocol 2026-07-28 and every older one. Over stdio it serves the client that started it; over HTTP any number of clients at /mcp, with and without sessions.',
    'Text that came from the software under study is fenced and labelled as untrusted data.',
    'Logs are JSON lines on stderr; --log-level says how many.',
  ].join('\n'),
  options: [
    { flags: '--tools <sets>', description: 'toolsets, separated by commas; default analyze' },
    { flags: '--transport <kind>', description: 'stdio or http; default stdio' },
    { flags: '--http-host <address>', description: 'address to listen on; default 127.0.0.1' },
    { flags: '--http-port <number>', description: 'port to listen on, 0 for any that is free; default 3000' },
    { flags: '--http-token <token>', description: 'what clients have to show as bearer token; better set MCP_TOKEN' },
    {
      flags: '--http-allow-host <name>',
      description: 'a further name that clients may call this server by',
      isRepeatable: true,
    },
    { flags: '--insecure-no-auth', description: 'without a token, even where other machines reach the port' },
    { flags: '--tls-cert <file>', description: 'certificate chain in PEM, for https' },
    { flags: '--tls-key <file>', description: 'its key in PEM' },
    { flags: '--read-only', description: 'leave out every tool that changes something' },
    { flags: '--allow-tool <name>', description: 'only this tool', isRepeatable: true },
    { flags: '--deny-tool <name>', description: 'leave out this tool', isRepeatable: true },
    {
      flags: '--print-config <client>',
      description: 'print what to put into the settings of claude-code, claude-desktop, cursor or vscode, and end',
    },
  ],
  examples: [
    { line: 'hotcell mcp', says: 'what a client starts: the toolset analyze over stdio' },
    { line: 'hotcell mcp --read-only --print-config claude-code', says: 'the settings for a client' },
    { line: 'MCP_TOKEN=… hotcell mcp --transport http', says: 'for clients that connect to http://127.0.0.1:3000/mcp' },
    { line: 'hotcell mcp --deny-tool run_in_box', says: 'everything but one tool' },
  ],
  exits: [
    { code: '0', when: 'the client has closed its end, or the settings were printed' },
    { code: '2', when: 'the command line cannot be understood, or the address would be open to strangers' },
    { code: '129, 130, 143', when: 'SIGHUP, SIGINT, SIGTERM: everything that ran was ended' },
  ],
  input: z.object({ tools: z.string().optional(), ...serveShape }),
  async run(wishes, _words, door) {
    const { runMcpCommand } = await import('../mcp/run.ts');
    return runMcpCommand(wishes, door);
  },
});
