import { isIP } from 'node:net';
import { UsageError } from '../../../base/errors.ts';
import type { McpWishes, PrintedClient } from './wishes.ts';

/** What a client has to be told so that it starts or reaches this server. */

export interface ConfigSnippet {
  /** The file of the client that it goes into. */
  readonly file: string;
  readonly json: Readonly<Record<string, unknown>>;
}

interface ClientForm {
  readonly file: string;
  /** The key that servers stand under. */
  readonly key: string;
  readonly hasType: boolean;
  /** How the file refers to a variable of the environment; null where it cannot name a server over HTTP. */
  readonly token: string | null;
}

const forms: Readonly<Record<PrintedClient, ClientForm>> = {
  'claude-code': { file: '.mcp.json', key: 'mcpServers', hasType: true, token: '${MCP_TOKEN}' },
  'claude-desktop': { file: 'claude_desktop_config.json', key: 'mcpServers', hasType: false, token: null },
  cursor: { file: '.cursor/mcp.json', key: 'mcpServers', hasType: false, token: '${env:MCP_TOKEN}' },
  vscode: { file: '.vscode/mcp.json', key: 'servers', hasType: true, token: '${env:MCP_TOKEN}' },
};

/** The command line again, without what only says how to print it. */
export function serverArguments(
  wishes: McpWishes,
  settingFlags: readonly string[] = [],
  instrumentWords: readonly string[] | null = null,
): readonly string[] {
  return [
    ...(instrumentWords ?? ['mcp', '--tools', wishes.toolsetIds.join(',')]),
    ...(wishes.isReadOnly ? ['--read-only'] : []),
    ...wishes.allow.flatMap((name) => ['--allow-tool', name]),
    ...wishes.deny.flatMap((name) => ['--deny-tool', name]),
    ...settingFlags,
  ];
}

function httpEntry(http: NonNullable<McpWishes['http']>, form: ClientForm, client: PrintedClient): object {
  if (form.token === null) {
    throw new UsageError(`${client} cannot be given a server over HTTP in its settings`, {
      hint: 'print the settings without --transport http',
    });
  }
  const host = isIP(http.host) === 6 ? `[${http.host}]` : http.host;
  return {
    ...(form.hasType ? { type: 'http' } : {}),
    url: `${http.tlsFiles === null ? 'http' : 'https'}://${host}:${http.port}/mcp`,
    // A token in a file of settings would be read by whoever reads the file: it stays in the environment.
    ...(http.token === null ? {} : { headers: { Authorization: `Bearer ${form.token}` } }),
  };
}

export function printConfig(
  client: PrintedClient,
  wishes: McpWishes,
  program: string,
  settingFlags: readonly string[] = [],
  instrumentWords: readonly string[] | null = null,
): ConfigSnippet {
  const form = forms[client];
  const entry =
    wishes.http === null
      ? {
          ...(form.hasType ? { type: 'stdio' } : {}),
          command: program,
          args: serverArguments(wishes, settingFlags, instrumentWords),
        }
      : httpEntry(wishes.http, form, client);
  return { file: form.file, json: { [form.key]: { hotcell: entry } } };
}
