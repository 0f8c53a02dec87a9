import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import type { ParsedTarget, TargetContext } from './contract.ts';
import { describeTarget, parseTarget } from './parse.ts';

let cwd = '';
let context: TargetContext = { cwd };

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'hotcell-target-'));
  context = { cwd, home: join(cwd, 'home') };
  for (const folder of ['here', 'own/er', '@s/here', 'home/x', 'a/b/c'])
    mkdirSync(join(cwd, folder), { recursive: true });
  const files: Record<string, string> = {
    'x.mcpb': '',
    'x.dxt': '',
    'x.tgz': '',
    'x-1.0.tar.gz': '',
    'x.tar': '',
    'x-1.0-py3-none-any.whl': '',
    'x.zip': '',
    'server.json': '{}',
    'tools.json': '{}',
    'capture.json': '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}',
    'list.json': '[{"name":"a","inputSchema":{}}]',
    'registry.json': '{"name":"io.x/y","packages":[]}',
    'claude.json': '// a comment\n{"mcpServers": {},}',
    'zed.jsonc': '{"context_servers": {}}',
    'settings.json': '{"mcp.servers": {}}',
    'config.toml': '',
    'goose.yaml': '',
    'other.json': '{"a": 1}',
    'broken.json': '{{{',
    'notes.txt': '',
    'main.py': '',
    'own/code.js': '',
    'own/x.tgz': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const npm = (name: string, is: 'version' | 'tag' | 'range', value: string) => ({
  kind: 'npm',
  name,
  wanted: { is, value },
});
const pypi = (name: string, specifier = '', extras: string[] = []) => ({ kind: 'pypi', name, specifier, extras });
const git = (url: string, more: object = {}) => ({ kind: 'git', url, protocol: 'https', ...more });
const file = (format: string, name: string) => ({ kind: 'file', format, path: name });
const folder = (name: string) => ({ kind: 'folder', path: name });

/** Paths of the expectation are relative to the folder of the test. */
function placed(expected: { kind: string; path?: string }): object {
  return expected.path === undefined ? expected : { ...expected, path: join(cwd, expected.path) };
}

describe('what a text means', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';
  const github = 'https://github.com/owner/repo.git';
  it.each<[string, { kind: string }]>([
    ['npm:left-pad', npm('left-pad', 'tag', 'latest')],
    ['npm:left-pad@1.3.0', npm('left-pad', 'version', '1.3.0')],
    ['npm:left-pad@v1.3.0', npm('left-pad', 'version', '1.3.0')],
    ['npm:left-pad@^1.3', npm('left-pad', 'range', '^1.3')],
    ['npm:left-pad@>=1 <2', npm('left-pad', 'range', '>=1 <2')],
    ['npm:left-pad@*', npm('left-pad', 'range', '*')],
    ['npm:left-pad@next', npm('left-pad', 'tag', 'next')],
    ['npm:left-pad@', npm('left-pad', 'tag', 'latest')],
    ['npm:@s/p', npm('@s/p', 'tag', 'latest')],
    ['npm:@s/p@1.0.0', npm('@s/p', 'version', '1.0.0')],
    ['npm:@s/p@1.0.0-rc.1', npm('@s/p', 'version', '1.0.0-rc.1')],
    ['npm:@s/p@beta', npm('@s/p', 'tag', 'beta')],
    ['npm:JSONStream@1.0.0', npm('JSONStream', 'version', '1.0.0')],
    ['npm:a@npm:b@2.0.0', npm('b', 'version', '2.0.0')],
    ['@s/p', npm('@s/p', 'tag', 'latest')],
    ['@s/p@1.0.0', npm('@s/p', 'version', '1.0.0')],
    ['@s/p@latest', npm('@s/p', 'tag', 'latest')],
    ['name@1.0.0', npm('name', 'version', '1.0.0')],
    ['name@~1', npm('name', 'range', '~1')],
    [' name@1.0.0 ', npm('name', 'version', '1.0.0')],
    ['socket.io@4.0.0', npm('socket.io', 'version', '4.0.0')],
    ['pypi:mcp', pypi('mcp')],
    ['pypi:mcp==1.0.0', pypi('mcp', '==1.0.0')],
    ['pypi:My_Pack.age', pypi('my-pack-age')],
    ['pypi:mcp[cli]==1', pypi('mcp', '==1', ['cli'])],
    ['pypi:mcp[cli, Rich_X]', pypi('mcp', '', ['cli', 'rich-x'])],
    ['pypi:mcp>=1,<2', pypi('mcp', '>=1,<2')],
    ['pypi:mcp (>=1)', pypi('mcp', '>=1')],
    ['pypi:mcp ~= 1.2', pypi('mcp', '~=1.2')],
    ['name==1.0.0', pypi('name', '==1.0.0')],
    ['my-package==1.0.0', pypi('my-package', '==1.0.0')],
    ['name==1.0.*', pypi('name', '==1.0.*')],
    ['name>=2', pypi('name', '>=2')],
    ['name[x]==1', pypi('name', '==1', ['x'])],
    ['name[x]', pypi('name', '', ['x'])],
    ['owner/repo', git(github)],
    ['owner/repo.js', git('https://github.com/owner/repo.js.git')],
    ['owner/repo#v1.0', git(github, { ref: 'v1.0' })],
    [`owner/repo#${commit}`, git(github, { ref: commit })],
    ['github:owner/repo', git(github)],
    ['github:owner/repo.git#feature/x', git(github, { ref: 'feature/x' })],
    ['gitlab:owner/repo', git('https://gitlab.com/owner/repo.git')],
    ['bitbucket:owner/repo#main', git('https://bitbucket.org/owner/repo.git', { ref: 'main' })],
    ['https://github.com/owner/repo', git(github)],
    ['https://github.com/owner/repo/', git(github)],
    ['https://github.com/owner/repo.git', git(github)],
    ['https://www.github.com/owner/repo#dev', git('https://www.github.com/owner/repo.git', { ref: 'dev' })],
    ['https://github.com/owner/repo/tree/main/src/fs', git(github, { ref: 'main', folder: 'src/fs' })],
    [`https://github.com/owner/repo/commit/${commit}`, git(github, { ref: commit })],
    ['https://gitlab.com/g/sub/repo', git('https://gitlab.com/g/sub/repo.git')],
    ['https://gitlab.com/g/repo/-/tree/v2', git('https://gitlab.com/g/repo.git', { ref: 'v2' })],
    ['https://git.example/x/y.git', git('https://git.example/x/y.git')],
    ['git+https://git.example/x/y', git('https://git.example/x/y')],
    ['git+https://git.example/x/y#v1', git('https://git.example/x/y', { ref: 'v1' })],
    [
      'git+https://git.example/x/y.git@v1#subdirectory=py',
      git('https://git.example/x/y.git', { ref: 'v1', folder: 'py' }),
    ],
    ['git+ssh://git@git.example/x/y.git#v1', git('ssh://git@git.example/x/y.git', { protocol: 'ssh', ref: 'v1' })],
    ['ssh://git@git.example/x/y.git', git('ssh://git@git.example/x/y.git', { protocol: 'ssh' })],
    ['git@github.com:owner/repo.git', git('git@github.com:owner/repo.git', { protocol: 'ssh' })],
    ['git@github.com:owner/repo.git#v2', git('git@github.com:owner/repo.git', { protocol: 'ssh', ref: 'v2' })],
    ['git+file:///srv/repo#main', git('file:///srv/repo', { protocol: 'file', ref: 'main' })],
    ['https://mcp.example/sse', { kind: 'remote', url: 'https://mcp.example/sse' } as { kind: string }],
    ['http://localhost:3000/mcp', { kind: 'remote', url: 'http://localhost:3000/mcp' } as { kind: string }],
    ['HTTPS://mcp.example', { kind: 'remote', url: 'https://mcp.example/' } as { kind: string }],
    ['image:mcp/fetch', { kind: 'image', reference: 'mcp/fetch' } as { kind: string }],
    ['image:host.example:5000/a/b:1.0', { kind: 'image', reference: 'host.example:5000/a/b:1.0' } as { kind: string }],
    ['.', folder('')],
    ['./here', folder('here')],
    ['here/', folder('here')],
    ['./@s/here', folder('@s/here')],
    ['a/b/c', folder('a/b/c')],
    ['~/x', folder('home/x')],
    ['x.mcpb', file('bundle', 'x.mcpb')],
    ['x.dxt', file('bundle', 'x.dxt')],
    ['x.tgz', file('tarball', 'x.tgz')],
    ['x-1.0.tar.gz', file('tarball', 'x-1.0.tar.gz')],
    ['x.tar', file('tarball', 'x.tar')],
    ['x-1.0-py3-none-any.whl', file('wheel', 'x-1.0-py3-none-any.whl')],
    ['x.zip', file('zip', 'x.zip')],
    ['own/x.tgz', file('tarball', 'own/x.tgz')],
    ['server.json', file('server-manifest', 'server.json')],
    ['tools.json', file('tool-list', 'tools.json')],
    ['capture.json', file('tool-list', 'capture.json')],
    ['./list.json', file('tool-list', 'list.json')],
    ['registry.json', file('server-manifest', 'registry.json')],
    ['claude.json', file('client-config', 'claude.json')],
    ['zed.jsonc', file('client-config', 'zed.jsonc')],
    ['settings.json', file('client-config', 'settings.json')],
    ['config.toml', file('client-config', 'config.toml')],
    ['goose.yaml', file('client-config', 'goose.yaml')],
    ['./main.py', file('script', 'main.py')],
    ['./own/code.js', file('script', 'own/code.js')],
  ])('%s', (text, expected) => {
    expect(parseTarget(text, context)).toEqual(placed(expected));
  });

  it('reads a command line', () => {
    expect(parseTarget("-- npx -y '@s/p@1.0.0' --flag", context)).toMatchObject({
      kind: 'command',
      argv: ['npx', '-y', '@s/p@1.0.0', '--flag'],
      starts: npm('@s/p', 'version', '1.0.0'),
    });
  });
});

describe('what is refused, and how it should be written', () => {
  it.each<[string, RegExp, string]>([
    ['name', /can mean several things/, 'write one of npm:name  pypi:name'],
    ['here', /several/, 'write one of npm:here  pypi:here  ./here'],
    ['own/er', /several/, 'write one of github:own/er  ./own/er'],
    ['own/code.js', /several/, './own/code.js'],
    ['@s/here', /several/, 'write one of npm:@s/here  ./@s/here'],
    ['main.py', /several/, './main.py'],
    ['', /empty/, ''],
    ['   ', /empty/, ''],
    ['a\0b', /cannot be seen/, ''],
    ['npm:na\u200bme', /cannot be seen/, ''],
    ['x'.repeat(9000), /longer than/, ''],
    ['npm:', /not the name of a package/, 'npm:name@version'],
    ['npm:@s', /not the name/, ''],
    ['npm:../x', /not the name/, ''],
    ['npm:a@b@c', /no version, range or tag/, ''],
    ['npm:x@git+https://h/x', /no version, range or tag/, 'git+https'],
    ['npm:.hidden', /not the name/, ''],
    ['pypi:name@1.0.0', /no version specifier/, 'pypi:name==1.2.3'],
    ['pypi:name1.0 2', /no version specifier/, ''],
    ['pypi:-x', /not the name/, ''],
    ['pypi:x==', /no version specifier/, ''],
    ['pypi:x[/]', /no extra/, ''],
    ['pypi:x==1.0; python_version<"3"', /no version specifier/, ''],
    ['git+http://h/x.git', /is not used/, 'https'],
    ['git://h/x.git', /is not used/, 'https'],
    ['http://github.com/o/r', /is not used/, 'https'],
    ['git+https://h/x#--upload-pack=y', /not known after the #/, ''],
    ['github:o/r#-x', /no branch/, ''],
    ['github:o/r#a..b', /no branch/, ''],
    ['github:o/r#semver:^1', /no commit/, ''],
    ['github:o', /owner\/name/, ''],
    ['github:../..', /owner\/name/, ''],
    ['https://github.com/owner', /no repository/, ''],
    ['git+https://h/x#subdirectory=../y', /no folder/, ''],
    ['ssh://-oProxyCommand=x/y', /no name|no URL/, ''],
    ['git@-oProxyCommand=x:y/z', /no name/, ''],
    ['git@h:/#', /no path/, ''],
    ['https://h/x.tgz', /download/, ''],
    ['https://', /no URL/, ''],
    ['ftp://h/x', /not known/, ''],
    ['./missing', /no file or folder/, ''],
    ['missing.tgz', /no file or folder/, ''],
    ['a/b/missing', /no file or folder/, ''],
    ['./notes.txt', /cannot tell/, 'server.json'],
    ['other.json', /cannot tell/, ''],
    ['broken.json', /cannot tell/, ''],
    ['/dev/null', /neither a file nor a folder/, ''],
    ['C:\\x\\y', /no file or folder/, ''],
    ['image:UPPER', /name of an image/, ''],
    ['image:-x', /name of an image/, ''],
    ['--', /no program/, ''],
    ['-- "npx', /quote/, ''],
    ['!!', /no target/, 'npm:name@version'],
  ])('%s', (text, message, hint) => {
    let thrown: unknown;
    try {
      parseTarget(text, context);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UsageError);
    expect((thrown as UsageError).message).toMatch(message);
    expect((thrown as UsageError).hint ?? '').toContain(hint);
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...[
      'npm:',
      'pypi:',
      'git+https://',
      'https://',
      'github:',
      '@',
      '/',
      '==',
      '#',
      '-- ',
      'npx ',
      'uvx ',
      'docker run ',
    ],
    ...[
      '-p ',
      '--from ',
      'name',
      '1.0.0',
      '^',
      '[',
      ']',
      '..',
      '\\',
      '"',
      "'",
      'git@h:',
      ' ',
      '~',
      '%',
      '\0',
      '-m ',
      'python ',
    ],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(pieces, fc.string()), { maxLength: 8 }).map((parts) => parts.join('')),
  );

  function tryParse(text: string): ParsedTarget | undefined {
    try {
      return parseTarget(text, context);
    } catch (error) {
      if (error instanceof UsageError) return undefined;
      throw error;
    }
  }

  it('is a target or a UsageError, and a target is read the same again', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const target = tryParse(text);
        if (target === undefined || target.kind === 'folder' || target.kind === 'file') return;
        expect(parseTarget(describeTarget(target), context)).toEqual(target);
      }),
      { numRuns: 5000 },
    );
  });
});
