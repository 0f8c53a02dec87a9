/** Config files as people have them: one of each shape, with everything that a careless program would lose. */

export interface SampleConfig {
  readonly shape: string;
  /** Below a home folder. */
  readonly path: string;
  readonly text: string;
  /** Servers that are wrapped. */
  readonly wrapped: number;
  /** Servers that are not: they run elsewhere, or the client starts them by itself. */
  readonly left: number;
}

export const sampleConfigs: readonly SampleConfig[] = [
  {
    shape: 'claude-desktop',
    path: '.config/Claude/claude_desktop_config.json',
    wrapped: 2,
    left: 0,
    text: `{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/usr/share"
      ]
    },
    "bücher 📚": {"command":"/usr/bin/python3","args":["-m","buch"],"env":{"API_KEY":"sk-verysecret-1234","MODE":"x"}}
  },
  "scale": 1.50, "big": 12345678901234567890
}
`,
  },
  {
    shape: 'cursor, with comments and trailing commas',
    path: '.cursor/mcp.json',
    wrapped: 3,
    left: 1,
    text: `// servers of mine
{
  /* before */ "mcpServers" : {
    "one" : { "command" : "uvx" , "args" : [ "mcp-server-git" , "--repository", "/usr" , ] , } ,
    "none": {
      // no arguments at all
      "command": "some-server", // really
    },
    "empty": { "command": "node", "args": [ /* later */ ] },
    "far": { "url": "https://example.com/mcp", "headers": { "Authorization": "Bearer abcdef123456" } },
  },
}`,
  },
  {
    shape: 'vscode mcp.json',
    path: '.config/Code/User/mcp.json',
    wrapped: 1,
    left: 1,
    text: `{
	"inputs": [{"type": "promptString", "id": "key", "password": true}],
	"servers": {
		"github": {
			"type": "stdio",
			"command": "docker",
			"args": ["run", "-i", "--rm", "-e", "TOKEN", "ghcr.io/github/github-mcp-server"],
			"env": { "TOKEN": "\${input:key}" }
		},
		"remote": { "type": "http", "url": "https://example.com" }
	}
}
`,
  },
  {
    shape: 'vscode settings.json',
    path: '.config/Code/User/settings.json',
    wrapped: 2,
    left: 0,
    text: `{
  // the editor
  "editor.fontSize": 14,
  "mcp": { "servers": { "a": { "command": "node", "args": ["\${workspaceFolder}/server.js"] } } },
  "mcp.servers": { "b": { "command": "deno", "args": ["run", "x.ts"] } }
}
`,
  },
  {
    shape: 'windsurf',
    path: '.codeium/windsurf/mcp_config.json',
    wrapped: 1,
    left: 1,
    text: '{"mcpServers":{"x":{"command":"npx","args":["x"],"disabled":true},"y":{"serverUrl":"https://example.com/sse"}}}',
  },
  {
    shape: 'zed, both of its forms',
    path: '.config/zed/settings.json',
    wrapped: 2,
    left: 1,
    text: `// Zed settings
{
  "theme": "One",
  "context_servers": {
    "old": {
      "command": { "path": "npx", "args": ["-y", "pkg"], "env": { "A": "1" } },
      "settings": {}
    },
    "new": { "source": "custom", "command": "npx", "args": ["-y", "pkg"], "env": {} },
    "extension": { "source": "extension", "settings": {} },
  },
}
`,
  },
  {
    shape: 'continue',
    path: '.continue/config.yaml',
    wrapped: 3,
    left: 1,
    text: `name: My Config   # a name
version: 0.0.1
models:
  - &main
    name: gpt
    provider: openai
default: *main
mcpServers:
  # first
  - name: sqlite
    command: npx
    args:
      - "-y"
      - mcp-sqlite   # what it is
      - /usr/share
    env:
      KEY: 'value'
  - command: uvx       # name comes later
    name: flow
    args: [ mcp-server-fetch, --port, 8080 ]

  -   name: bare
      command: some-server # trailing
      cwd: /tmp
  - name: far
    url: https://example.com/mcp
tail: |
  command: npx
  args: [no]
`,
  },
  {
    shape: 'goose',
    path: '.config/goose/config.yaml',
    wrapped: 1,
    left: 1,
    text: `GOOSE_PROVIDER: openai
extensions:
  developer: {enabled: true, type: builtin, name: developer}
  memory:
    args: ['-y', "@x/memory"]
    cmd: npx
    enabled: true
    env_keys:
    - MEMORY_KEY
    envs: {}
    type: stdio
  web:
    type: sse
    uri: https://example.com/sse
`,
  },
  {
    shape: 'codex',
    path: '.codex/config.toml',
    wrapped: 4,
    left: 1,
    text: `model = "o3" # the model
started = 2025-01-01T10:00:00Z

[mcp_servers.docs]
command = "npx"   # through npm
args = ["-y", "docs-mcp"]
env = { "KEY" = "v", OTHER = 'w' }

[mcp_servers."with space"]
  command = 'C:\\tools\\server.exe'

[mcp_servers.lines]
args = [
  "one", # first
  "[not a list]",
  "/usr/share",
]
command = "node"

[mcp_servers]
inline = { command = "uvx", args = [] }

[mcp_servers.far]
url = "https://example.com/mcp"

[profiles.x]
command = """
not [a] server
"""
`,
  },
  {
    shape: 'mistral-vibe',
    path: '.vibe/config.toml',
    wrapped: 2,
    left: 0,
    text: `active = true
[[mcp_servers]]
name = "first"
transport = "stdio"
command = "uvx"
args = ["first"]

[[mcp_servers]]
name = "second"
command = "uvx"
`,
  },
  {
    shape: 'gemini-cli',
    path: '.gemini/settings.json',
    wrapped: 1,
    left: 1,
    text: `{
    "selectedAuthType": "oauth-personal",
    "mcpServers": {
        "local":{"command":"python","args":["-m", "server"],"cwd":"./x","timeout":15000,"trust":false},
        "web":{"httpUrl":"https://example.com/mcp"}
    }
}`,
  },
  {
    shape: 'cline',
    path: '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    wrapped: 1,
    left: 0,
    text: `{
  "mcpServers": {
    "a/b.c": {
      "autoApprove": [],
      "command": "node",
      "args":
      [
          "/usr/bin/env",
          "--root=/usr/share",
          "--token", "ghp_secretsecret"
      ],
      "transportType": "stdio"
    }
  }
}
`,
  },
  {
    shape: 'claude-code, per project',
    path: '.claude.json',
    wrapped: 3,
    left: 0,
    text: `{
  "numStartups": 7,
  "mcpServers": { "top": { "type": "stdio", "command": "npx", "args": ["top"], "env": {} } },
  "projects": {
    "/home/me/one": { "allowedTools": [], "mcpServers": { "p": { "command": "npx", "args": ["p"] } }, "history": ["a\\u0000b"] },
    "/home/me/two": { "mcpServers": {} },
    "/home/me/three": { "mcpServers": { "p": { "command": "npx -y whole-line --flag" } } }
  }
}`,
  },
  {
    shape: 'claude-code .mcp.json',
    path: 'project/.mcp.json',
    wrapped: 1,
    left: 0,
    text: '{ "mcpServers": { "s": { "command": "\\u006eode", "args": ["\\/usr\\/share", "quote \\" back \\\\ tab \\t"] } } }\n\n\n',
  },
  {
    shape: 'opencode',
    path: '.config/opencode/opencode.jsonc',
    wrapped: 1,
    left: 1,
    text: `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "local": {
      "type": "local",
      "command": ["bun", "x", "my-mcp"], // everything in one list
      "environment": { "A_B": "c" },
      "enabled": true
    },
    "away": { "type": "remote", "url": "https://example.com/mcp" }
  }
}
`,
  },
  {
    shape: 'amp',
    path: '.config/amp/settings.json',
    wrapped: 1,
    left: 0,
    text: '{\n  "amp.mcpServers": {\n    "x": {\n      "command": "npx",\n      "args": ["x"]\n    }\n  }\n}\n',
  },
];

/** The same file as another editor would have saved it. */
export const disguises: readonly { readonly title: string; apply(text: string): string }[] = [
  { title: 'as it is', apply: (text) => text },
  { title: 'with CRLF', apply: (text) => text.replaceAll('\n', '\r\n') },
  { title: 'with a byte order mark', apply: (text) => `\ufeff${text}` },
  { title: 'with CRLF and a byte order mark', apply: (text) => `\ufeff${text.replaceAll('\n', '\r\n')}` },
  { title: 'without a final new line', apply: (text) => text.replace(/\n+$/, '') },
  { title: 'with blanks at the end', apply: (text) => `${text}\n \n` },
];
