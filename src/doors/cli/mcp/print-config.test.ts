import { describe, expect, it } from 'vitest';
import { printConfig } from './print-config.ts';
import { type McpWishes, printedClients } from './wishes.ts';

const stdio: McpWishes = {
  toolsetIds: ['analyze'],
  http: null,
  isReadOnly: true,
  allow: [],
  deny: ['run_in_box'],
  printFor: null,
};
const http: McpWishes = {
  ...stdio,
  http: { host: '::1', port: 4000, token: 'secret', isOpenToAll: false, hostNames: [], tlsFiles: null },
};
const args = ['mcp', '--tools', 'analyze', '--read-only', '--deny-tool', 'run_in_box', '--home', '/h'];

describe('printConfig', () => {
  it.each([
    ['claude-code', '.mcp.json', { mcpServers: { hotcell: { type: 'stdio', command: '/bin/hotcell', args } } }],
    ['claude-desktop', 'claude_desktop_config.json', { mcpServers: { hotcell: { command: '/bin/hotcell', args } } }],
    ['cursor', '.cursor/mcp.json', { mcpServers: { hotcell: { command: '/bin/hotcell', args } } }],
    ['vscode', '.vscode/mcp.json', { servers: { hotcell: { type: 'stdio', command: '/bin/hotcell', args } } }],
  ] as const)('knows the file of %s', (client, file, json) => {
    expect(printConfig(client, stdio, '/bin/hotcell', ['--home', '/h'])).toEqual({ file, json });
  });

  it('keeps the token out of the file', () => {
    const { json } = printConfig('claude-code', http, '/bin/hotcell');
    expect(json).toEqual({
      mcpServers: {
        hotcell: { type: 'http', url: 'http://[::1]:4000/mcp', headers: { Authorization: 'Bearer ${MCP_TOKEN}' } },
      },
    });
    for (const client of printedClients.filter((name) => name !== 'claude-desktop')) {
      expect(JSON.stringify(printConfig(client, http, '/bin/hotcell'))).not.toContain('secret');
    }
  });

  it('says who cannot be told of a server over HTTP', () => {
    expect(() => printConfig('claude-desktop', http, '/bin/hotcell')).toThrow(/cannot be given/);
  });
});
