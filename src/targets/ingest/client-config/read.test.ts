import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { describeTarget } from '../target/parse.ts';
import { clientPlaces } from './clients.ts';
import type { ClientConfig, Platform } from './contract.ts';
import { findClientConfigs } from './find.ts';
import { clientOf, parseClientConfig, readClientConfig } from './read.ts';
import { describeServer, shownArgs, targetOfServer } from './server-target.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text = '{"mcpServers":{"a":{"command":"npx","args":["p"]}}}'): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

function summary({ servers }: ClientConfig): string[] {
  return servers.map((server) => {
    const what = server.url ?? [server.command, ...server.args].join(' ');
    const env = [...server.environment].map(([name, value]) => `${name}=${value.reveal()}`).join(',');
    const headers = [...server.headers].map(([name, value]) => `${name}=${value.reveal()}`).join(',');
    return [server.name, what, env, headers, server.isDisabled ? 'off' : ''].join('|').replace(/\|+$/, '');
  });
}

const read = (path: string, value: unknown): string[] =>
  summary(parseClientConfig(path, typeof value === 'string' ? value : JSON.stringify(value)));

describe('every shape of config', () => {
  const server = { command: 'npx', args: ['-y', 'p'], env: { K: 'v' } };
  const line = 'a|npx -y p|K=v';
  it.each<[string, string, unknown, string[]]>([
    ['mcpServers', 'claude_desktop_config.json', { mcpServers: { a: server } }, [line]],
    [
      'comments and commas',
      'mcp.json',
      '// x\n{"mcpServers": {"a": {"command": "npx", "args": ["p",],}, /* y */},}',
      ['a|npx p'],
    ],
    ['a byte order mark', 'mcp.json', '\ufeff{"mcpServers":{"a":{"command":"c"}}}', ['a|c']],
    ['servers', '.vscode/mcp.json', { servers: { a: { type: 'stdio', ...server } }, inputs: [] }, [line]],
    ['mcp.servers nested', 'settings.json', { mcp: { servers: { a: server } } }, [line]],
    ['mcp.servers as one key', 'settings.json', { 'mcp.servers': { a: server }, 'editor.x': 1 }, [line]],
    [
      'context_servers',
      'zed/settings.json',
      { context_servers: { a: { command: { path: 'npx', args: ['-y', 'p'], env: { K: 'v' } } } } },
      [line],
    ],
    [
      'context_servers, newer',
      'zed/settings.json',
      { context_servers: { a: { source: 'custom', ...server } } },
      [line],
    ],
    [
      'projects',
      '.claude.json',
      { mcpServers: { a: server }, projects: { '/x': { mcpServers: { b: { command: 'c' } } }, '/y': {} } },
      [line, 'b|c'],
    ],
    ['amp', 'settings.json', { 'amp.mcpServers': { a: server } }, [line]],
    [
      'opencode',
      'opencode.json',
      { mcp: { a: { type: 'local', command: ['npx', '-y', 'p'], environment: { K: 'v' }, enabled: false } } },
      [`${line}||off`],
    ],
    [
      'opencode, remote',
      'opencode.json',
      { mcp: { a: { type: 'remote', url: 'https://h/mcp', headers: { A: 'b' } } } },
      ['a|https://h/mcp||A=b'],
    ],
    ['windsurf', 'mcp_config.json', { mcpServers: { a: { serverUrl: 'https://h/sse' } } }, ['a|https://h/sse']],
    ['gemini', 'settings.json', { mcpServers: { a: { httpUrl: 'https://h/mcp' } } }, ['a|https://h/mcp']],
    [
      'disabled',
      'cline_mcp_settings.json',
      { mcpServers: { a: { ...server, disabled: true, autoApprove: [] } } },
      [`${line}||off`],
    ],
    [
      'codex',
      'config.toml',
      '[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "p"]\n[mcp_servers.a.env]\nK = "v"\n',
      [line],
    ],
    [
      'codex, http',
      'config.toml',
      '[mcp_servers.a]\nurl = "https://h/"\nhttp_headers = { A = "b" }\n',
      ['a|https://h/||A=b'],
    ],
    [
      'mistral',
      'config.toml',
      '[[mcp_servers]]\nname = "a"\ntransport = "stdio"\ncommand = "npx"\nargs = ["p"]\n',
      ['a|npx p'],
    ],
    [
      'continue',
      'config.yaml',
      'mcpServers:\n  - name: a\n    command: npx\n    args: [-y, p]\n    env: {K: v}\n',
      [line],
    ],
    [
      'continue, older',
      'config.json',
      { experimental: { modelContextProtocolServers: [{ transport: { type: 'stdio', ...server } }] } },
      ['#1|npx -y p|K=v'],
    ],
    [
      'goose',
      'config.yaml',
      'extensions:\n  a:\n    type: stdio\n    cmd: npx\n    args: ["-y", p]\n    envs: {K: v}\n    enabled: true\n  b:\n    type: builtin\n    enabled: true\n',
      [line],
    ],
    ['one server alone', 'x.json', server, ['#1|npx -y p|K=v']],
    [
      'numbers as values',
      'x.json',
      { mcpServers: { a: { command: 'c', args: [1, true, null], env: { P: 1, N: null } } } },
      ['a|c 1 true|P=1'],
    ],
    [
      'a name that is special',
      'x.json',
      '{"mcpServers":{"__proto__":{"command":"c"},"constructor":{"command":"d"}}}',
      ['__proto__|c', 'constructor|d'],
    ],
    ['servers that are none', 'settings.json', { servers: ['a', { x: 1 }], mcp: true, extensions: { x: 1 } }, []],
    ['nothing', 'x.json', {}, []],
    ['an empty file', 'x.json', '', []],
  ])('%s', (_, path, value, expected) => {
    const config = parseClientConfig(path, typeof value === 'string' ? value : JSON.stringify(value));
    expect(config.problems).toEqual([]);
    expect(read(path, value)).toEqual(expected);
  });

  it('says where a server stands', () => {
    const text =
      '{\n  "projects": {\n    "/x": {\n      "mcpServers": {\n        "a": {"command": "c"}\n      }\n    }\n  }\n}';
    expect(parseClientConfig('x.json', text).servers[0]?.where).toEqual({
      path: 'x.json',
      keys: ['projects', '/x', 'mcpServers', 'a'],
      line: 5,
    });
  });
});

describe('a broken file is a problem', () => {
  it.each<[string, string, RegExp, number]>([
    ['x.json', '{"mcpServers": {"a": {"command": "c"}', /not valid JSON/, 1],
    ['x.json', '{"mcpServers": {\n"a": nonsense }}', /not valid JSON/, 0],
    ['x.json', '[['.repeat(50_000), /not valid JSON/, 0],
    ['x.json', '{"mcpServers": "x"}', /no list of servers/, 0],
    ['x.json', '{"mcpServers": {"a": 1}}', /no server/, 0],
    ['x.json', '{"mcpServers": {"a": {"x": 1}}}', /neither a command nor a URL/, 0],
    ['x.json', '\0\x01\x02', /not valid JSON/, 0],
    ['x.toml', 'a = [', /not valid TOML/, 0],
    ['x.yaml', 'a: [b', /not valid YAML/, 0],
    ['x.yaml', `a: &a [x]\n${'b: [*a, *a]\n'.repeat(3)}`, /not valid YAML/, 0],
  ])('%s %#', (path, text, what, servers) => {
    const config = parseClientConfig(path, text);
    expect(config.problems[0]?.what).toMatch(what);
    expect(config.servers).toHaveLength(servers);
  });

  it('one that is not there, or is a folder, or a device', async () => {
    for (const path of [join(folder, 'missing.json'), folder, '/dev/zero']) {
      const config = await readClientConfig(path);
      expect(config.servers).toEqual([]);
      expect(config.problems).toHaveLength(1);
    }
  });

  it('whatever the text is', () => {
    const endings = fc.constantFrom('x.json', 'x.toml', 'x.yaml');
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"mcpServers"',
      ':',
      ',',
      '"command"',
      '"c"',
      '\n',
      '-',
      '&a',
      '*a',
      '=',
      '#',
      '//',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(endings, texts, (path, text) => {
        expect(parseClientConfig(path, text).path).toBe(path);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('what a server would start', () => {
  const context = { cwd: '/nowhere' };
  it.each<[unknown, string]>([
    [{ command: 'npx', args: ['-y', '@s/p@1.0.0'] }, 'npm:@s/p@1.0.0'],
    [{ command: 'npx -y @s/p' }, 'npm:@s/p@latest'],
    [{ command: 'uvx', args: ['p'] }, 'pypi:p'],
    [{ command: 'docker', args: ['run', '-i', '--rm', '-e', 'T', 'mcp/x'] }, 'image:mcp/x'],
    [{ command: 'cmd', args: ['/c', 'npx', 'p'] }, 'npm:p@latest'],
    [{ url: 'https://h.example/mcp' }, 'https://h.example/mcp'],
  ])('%j', (value, expected) => {
    const [server] = parseClientConfig('x.json', JSON.stringify({ mcpServers: { a: value } })).servers;
    if (server === undefined) throw new Error('no server');
    const target = targetOfServer(server, context);
    expect(describeTarget(target.kind === 'command' ? target.starts : target)).toBe(expected);
  });

  it('or why nobody can tell', () => {
    const [server] = parseClientConfig('x.json', '{"mcpServers":{"a":{"url":"file:///etc"}}}').servers;
    if (server === undefined) throw new Error('no server');
    expect(() => targetOfServer(server, context)).toThrow(UsageError);
  });
});

describe('secrets', () => {
  const config = parseClientConfig(
    'x.json',
    JSON.stringify({
      mcpServers: {
        'a\x1b[31m': {
          command: 'c',
          args: ['--api-key', 'S3CRET', '--token=S3CRET', 'https://u:S3CRET@h/?k=S3CRET', 'X_KEY=S3CRET'],
          env: { A: 'S3CRET', B: '${input:x}' },
        },
        b: { url: 'https://S3CRET@h/mcp?key=S3CRET', headers: { Authorization: 'S3CRET' } },
      },
    }),
  );

  it('are shown in no way but on purpose', () => {
    const shown = config.servers.map(describeServer);
    expect(shown.join('\n')).not.toContain('S3CRET');
    expect(shown[0]).toBe(
      'a\\x1b[31m: c --api-key (hidden) --token=(hidden) https://u:hidden@h/?k=hidden X_KEY=(hidden) [A=(hidden) B=${input:x}]',
    );
    const values = config.servers.flatMap(({ environment, headers }) => [...environment.values(), ...headers.values()]);
    for (const text of [JSON.stringify(values), inspect(values), `${values.join(',')}`])
      expect(text).not.toContain('S3CRET');
    expect(values[0]?.reveal()).toBe('S3CRET');
  });

  it('an option is not a value', () => {
    expect(shownArgs(['--key', '--verbose', '--keyboard', 'de', 'x'])).toEqual([
      '--key',
      '--verbose',
      '--keyboard',
      '(hidden)',
      'x',
    ]);
  });
});

describe('finding the files', () => {
  it.each<Platform>(['linux', 'darwin', 'win32'])('of every client on %s', (platform) => {
    const home = join(folder, platform, 'home');
    const cwd = join(folder, platform, 'work');
    const root = join(folder, platform, 'root');
    const data = { linux: '.config', darwin: 'Library/Application Support', win32: 'AppData/Roaming' }[platform];
    const expected = new Set<string>();
    for (const { paths, platforms } of clientPlaces) {
      if (platforms !== undefined && !platforms.includes(platform)) continue;
      for (const path of paths) {
        const full = path
          .replace(/^~/, home)
          .replace('{data}', join(home, data))
          .replace(/^\.\//, `${cwd}/`)
          .replace('**', 'some/plugin');
        const placed = path.startsWith('/') || path.startsWith('C:') ? join(root, path) : full;
        expected.add(write(placed.slice(folder.length + 1)));
      }
    }
    const found = findClientConfigs({ home, cwd, platform, root });
    expect(new Set(found.map(({ path }) => path))).toEqual(expected);
    expect(found.length).toBeGreaterThan(40);
    for (const { client, path } of found) {
      if (platform === 'linux') expect(`${path} ${clientOf(path)}`).toBe(`${path} ${client}`);
    }
  });

  it('finds nothing where nothing is', () => {
    const machine = {
      home: join(folder, 'none'),
      cwd: join(folder, 'none'),
      platform: 'linux' as const,
      root: join(folder, 'none'),
    };
    expect(findClientConfigs(machine)).toEqual([]);
  });

  it('does not walk through links or for ever', () => {
    const home = join(folder, 'loop');
    const plugins = join(home, '.claude/plugins/cache');
    mkdirSync(plugins, { recursive: true });
    symlinkSync(plugins, join(plugins, 'again'));
    write('loop/.claude/plugins/cache/a/b/.mcp.json');
    const found = findClientConfigs({ home, cwd: home, platform: 'linux', root: join(folder, 'none') });
    expect(found.map(({ scope }) => scope)).toEqual(['plugin']);
  });
});
