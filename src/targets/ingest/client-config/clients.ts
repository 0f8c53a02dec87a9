import type { ConfigScope, Platform } from './contract.ts';

/**
 * Where clients keep their servers. `~` is the home folder; `{data}` is where programs keep their data: `~/.config` on
 * Linux, `~/Library/Application Support` on macOS, `%APPDATA%` on Windows; `.` is the working folder.
 */
export interface ClientPlace {
  readonly client: string;
  readonly scope: ConfigScope;
  readonly paths: readonly string[];
  readonly platforms?: readonly Platform[];
}

const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
const inEditors = (path: string): string[] => editors.map((editor) => `{data}/${editor}/User/globalStorage/${path}`);

const user = (client: string, ...paths: readonly string[]): ClientPlace => ({ client, scope: 'user', paths });
const project = (client: string, ...paths: readonly string[]): ClientPlace => ({ client, scope: 'project', paths });

export const clientPlaces: readonly ClientPlace[] = [
  user('claude-desktop', '{data}/Claude/claude_desktop_config.json'),
  user('claude-code', '~/.claude.json', '~/.claude/settings.json', '~/.claude/mcp.json'),
  { client: 'claude-code', scope: 'plugin', paths: ['~/.claude/plugins/cache/**/.mcp.json'] },
  user('cursor', '~/.cursor/mcp.json'),
  user(
    'vscode',
    ...['Code', 'Code - Insiders', 'VSCodium'].flatMap((editor) => [
      `{data}/${editor}/User/mcp.json`,
      `{data}/${editor}/User/settings.json`,
    ]),
    ...['~/.vscode/mcp.json', '~/.vscode-server/data/User/mcp.json', '~/.vscode-server/data/User/settings.json'],
  ),
  user('windsurf', '~/.codeium/windsurf/mcp_config.json', '~/.codeium/mcp_config.json'),
  user('gemini-cli', '~/.gemini/settings.json'),
  user('antigravity', '~/.gemini/antigravity/mcp_config.json'),
  user('codex', '~/.codex/config.toml'),
  user('kiro', '~/.kiro/settings/mcp.json'),
  user('amazon-q', '~/.aws/amazonq/mcp.json', '~/.aws/amazonq/agents/default.json'),
  user('cline', ...inEditors('saoudrizwan.claude-dev/settings/cline_mcp_settings.json')),
  user('roo', ...inEditors('rooveterinaryinc.roo-cline/settings/mcp_settings.json')),
  user('continue', '~/.continue/config.yaml', '~/.continue/config.json'),
  user('goose', '~/.config/goose/config.yaml'),
  user('zed', '~/.config/zed/settings.json', '{data}/Zed/settings.json'),
  user('opencode', '~/.config/opencode/opencode.json', '~/.config/opencode/opencode.jsonc'),
  user('lmstudio', '~/.lmstudio/mcp.json'),
  user('trae', '{data}/Trae/User/mcp.json'),
  user('amp', '~/.config/amp/settings.json'),
  user('copilot-cli', '~/.copilot/mcp-config.json'),
  user('factory', '~/.factory/mcp.json'),
  user('kimi-cli', '~/.kimi/mcp.json'),
  user('mistral-vibe', '~/.vibe/config.toml'),
  project(
    'claude-code',
    './.mcp.json',
    './.claude/settings.json',
    './.claude/settings.local.json',
    './.claude/mcp.json',
  ),
  project('cursor', './.cursor/mcp.json', './.cursor/rules/mcp.json'),
  project('vscode', './.vscode/mcp.json', './.vscode/settings.json'),
  project('windsurf', './.windsurf/mcp.json', './.windsurf/mcp_config.json'),
  project('gemini-cli', './.gemini/settings.json'),
  project('kiro', './.kiro/settings/mcp.json'),
  project('opencode', './opencode.json', './opencode.jsonc'),
  project('roo', './.roo/mcp.json'),
  {
    client: 'claude-code',
    scope: 'managed',
    paths: ['/etc/claude-code/managed-mcp.json', '/etc/claude-code/managed-settings.json'],
    platforms: ['linux'],
  },
  {
    client: 'claude-code',
    scope: 'managed',
    paths: [
      '/Library/Application Support/ClaudeCode/managed-mcp.json',
      '/Library/Application Support/ClaudeCode/managed-settings.json',
    ],
    platforms: ['darwin'],
  },
  {
    client: 'claude-code',
    scope: 'managed',
    paths: ['C:/Program Files/ClaudeCode/managed-mcp.json', 'C:/Program Files/ClaudeCode/managed-settings.json'],
    platforms: ['win32'],
  },
  { client: 'codex', scope: 'managed', paths: ['/etc/codex/requirements.toml'], platforms: ['linux', 'darwin'] },
];
