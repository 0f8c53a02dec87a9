import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCode } from './code-needs.ts';
import { ownArguments } from './example-match.ts';
import { fillArguments } from './fill-arguments.ts';
import { readBundleManifest, readServerJson } from './manifests.ts';
import { readStartRules } from './rules.ts';
import { sampleFacts } from './sample-facts.ts';
import { valueFor } from './value-for.ts';

const { values } = readStartRules();
const facts = sampleFacts({});
const { world } = facts;

describe('a value for a name', () => {
  it.each([
    ['GITHUB_TOKEN', undefined, 'secret', 'bait:GITHUB_TOKEN'],
    ['--api-key', 'YOUR-KEY', 'secret', 'bait:api-key'],
    ['LARA_ACCESS_KEY_ID', undefined, 'secret', 'bait:LARA_ACCESS_KEY_ID'],
    ['AUTH_TOKEN', 'Bearer <token>', 'secret', 'Bearer bait:AUTH_TOKEN'],
    ['API_BASE_URL', undefined, 'url', new URL(world.url).origin],
    ['API_BASE_URL', 'https://api.vendor.test/v1', 'url', 'https://api.vendor.test/v1'],
    ['DOCS_DIR', '/Users/me/docs', 'folder', world.root],
    ['ALLOWED', '/path/to/dir', 'folder', world.root],
    ['--repository', 'path/to/git/repo', 'folder', world.git ?? ''],
    ['POSTGRES_URL', undefined, 'postgres', 'postgresql://postgres:postgres@127.0.0.1:5432/postgres'],
    ['REDIS_URL', undefined, 'redis', 'redis://127.0.0.1:6379'],
    ['PORT', undefined, 'port', '38080'],
    ['USER_EMAIL', undefined, 'email', 'maria@example.com'],
    ['SLACK_TEAM_ID', 'T01234567', 'id', 'T01234567'],
    ['SLACK_TEAM_ID', undefined, 'id', '1042'],
    ['LOG_LEVEL', 'info', 'leave', 'info'],
  ])('%s %s', (name, example, kind, value) => {
    expect(valueFor(name, example, facts, values)).toMatchObject({ kind, value });
  });

  it('names the service that a connection wants', () => {
    expect(valueFor('DATABASE_URL', 'postgresql://u:p@db/x', facts, values).props).toEqual([
      { kind: 'service', name: 'postgres' },
    ]);
  });
});

describe('arguments of an example', () => {
  it.each([
    [['/Users/me/Desktop', '/path/to/other'], [world.root], true],
    [['--figma-api-key=YOUR-KEY', '--stdio'], ['--figma-api-key=bait:figma-api-key', '--stdio'], false],
    [['--root', '/srv/files'], ['--root', world.root], true],
    [['serve', '--verbose'], ['serve', '--verbose'], false],
    [['<directory>', '...'], [world.root], true],
    [['--transport', 'stdio'], ['--transport', 'stdio'], false],
    [['--level', '3'], ['--level', '3'], false],
    [[], [], false],
  ])('%j', (example, args, isConfined) => {
    expect(fillArguments(example, facts, values)).toMatchObject({ args, isConfined });
  });

  it('are read whatever they are', () => {
    fc.assert(fc.property(fc.array(fc.string()), (words) => void fillArguments(words, facts, values)));
  });
});

describe('whose example it is', () => {
  const programs = [{ name: 'demo', path: '/a/dist/index.js', file: 'dist/index.js', python: null, rank: 0 }];
  const own = (command: string, ...args: string[]): readonly string[] | null =>
    ownArguments({ command, args, environment: {}, from: 'config' }, { name: '@s/demo-mcp' }, programs);
  it.each([
    [['npx', '-y', '@s/demo-mcp', 'a'], ['a']],
    [['npx', '-y', '@s/demo-mcp@latest', '--x=1'], ['--x=1']],
    [['npx', '-y', '-p', '@s/demo-mcp', 'demo', 'a'], ['a']],
    [['cmd', '/c', 'npx', '-y', '@s/demo-mcp', 'b'], ['b']],
    [['demo', 'c'], ['c']],
    [['node', '/path/to/dist/index.js', 'd'], ['d']],
    [['npx', '-y', 'other-mcp', 'a'], null],
    [['docker', 'run', '@s/demo-mcp', 'a'], null],
    [[''], null],
  ])('%j', ([command = '', ...args], expected) => {
    expect(own(command, ...args)).toEqual(expected);
  });
});

describe('what code insists on', () => {
  it.each([
    ['const t = process.env.A_TOKEN;\nif (!t) { console.error("no"); process.exit(1); }', ['A_TOKEN']],
    [
      'const a = process.env.A_KEY, b = 1;\nconst c = process.env["C_ID"];\nif (!a || !c) {\n throw new Error("x") }',
      ['A_KEY', 'C_ID'],
    ],
    ['if (!process.env.D_URL) throw new Error("D")', ['D_URL']],
    ['const p = process.env.PORT || 3000; if (!p) throw 1', []],
    ['const t = process.env.OPTIONAL;\nif (!t) { console.log("fine"); }', []],
    ['k = os.environ["E_KEY"]\n', ['E_KEY']],
    ['os.environ["E_KEY"] = "x"\n', []],
    ['k = os.getenv("F_KEY")\nif not k:\n    raise ValueError("x")\n', ['F_KEY']],
    ['k = os.getenv("G_KEY", "")\nif not k:\n    raise ValueError("x")\n', []],
  ])('%j', (text, variables) => {
    expect(readCode(text).variables).toEqual(variables);
  });

  it('reads options, usage and transport', () => {
    const text =
      'parser.add_argument("-r", "--repository", type=Path, required=True)\nprint("Usage: x <dir>")\nstdio_server()';
    expect(readCode(text)).toMatchObject({
      options: ['--repository'],
      usage: ['x <dir>'],
      speaksStdio: true,
      listens: false,
    });
  });

  it('reads any text, and quickly', () => {
    fc.assert(fc.property(fc.string(), (text) => void readCode(text)));
    const parts = ['if (', 'if not a', 'const a = process.env.', 'Usage: ', 'add_argument("--a", '];
    for (const part of parts) readCode(part.repeat(20_000));
  });
});

describe('manifests', () => {
  it('server.json tells required variables and arguments', () => {
    const manifest = {
      packages: [
        { identifier: 'other' },
        {
          identifier: 'demo-mcp',
          transport: { type: 'stdio' },
          environmentVariables: [
            { name: 'A_KEY', isSecret: true },
            { name: 'B', isRequired: true, default: 'b' },
            { name: 'C' },
          ],
          packageArguments: [
            { type: 'positional', valueHint: 'directory', isRequired: true },
            { type: 'named', name: '--mode', value: 'fast' },
            { type: 'named', name: '--optional' },
          ],
        },
      ],
    };
    expect(readServerJson(manifest, (name) => name === 'demo-mcp')).toEqual({
      args: ['<directory>', '--mode', 'fast'],
      variables: [{ name: 'A_KEY' }, { name: 'B', example: 'b' }],
      transport: 'stdio',
    });
  });

  it('a bundle tells its file and what a person would be asked', () => {
    const manifest = {
      server: {
        entry_point: 'server/index.js',
        mcp_config: {
          command: 'node',
          args: ['${__dirname}/server/index.js', '${user_config.folder}', '--x=${__dirname}/a'],
          env: { A_KEY: '${user_config.key}' },
        },
      },
      user_config: { folder: { type: 'directory' }, key: { type: 'string', sensitive: true, default: 'x' } },
    };
    expect(readBundleManifest(manifest)).toMatchObject({
      entry: 'server/index.js',
      args: ['/path/to/folder', '--x={folder}/a'],
      environment: { A_KEY: '<key>' },
    });
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.object(), (value) => {
        readServerJson(value, () => true);
        readServerJson({ packages: [value] }, () => true);
        readBundleManifest({ server: value, user_config: value });
        readBundleManifest({ server: { mcp_config: value, entry_point: 'a' } });
      }),
    );
  });
});
