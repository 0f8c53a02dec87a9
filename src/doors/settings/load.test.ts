import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import type { Caller } from './definitions.ts';
import { type Flags, loadSettings } from './load.ts';

describe('loadSettings', () => {
  let root = '';
  let folder = '';
  let homeFolder = '';

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'settings-'));
    folder = join(root, 'work');
    homeFolder = join(root, 'home');
    await mkdir(folder);
    await mkdir(join(homeFolder, '.hotcell'), { recursive: true });
  });

  afterEach(() => rm(root, { recursive: true }));

  const caller = (environment: Record<string, string> = {}, userId = 1000): Caller => ({
    environment,
    folder,
    homeFolder,
    userId,
  });
  const write = (path: string, content: unknown) =>
    writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));

  it('goes from flags down to defaults, and says where each value came from', async () => {
    const flags: Flags = { backend: 'bwrap' };
    const seen: [string, string][] = [];
    const look = async (given: Flags, environment: Record<string, string>) => {
      const { values, origins } = await loadSettings(given, caller(environment));
      seen.push([values.backend, origins.backend.where]);
    };
    await write('home/.hotcell/config.json', { backend: 'gvisor' });
    await write('work/.env', 'HOTCELL_BACKEND=runc');
    await write('work/hotcell.config.json', { backend: 'landlock' });
    await look(flags, { HOTCELL_BACKEND: 'docker' });
    await look({}, { HOTCELL_BACKEND: 'docker' });
    await look({}, { HOTCELL_BACKEND: '' });
    await rm(join(folder, 'hotcell.config.json'));
    await look({}, {});
    await rm(join(folder, '.env'));
    await look({}, {});
    await rm(join(homeFolder, '.hotcell/config.json'));
    await look({}, {});

    expect(seen).toEqual([
      ['bwrap', 'flag --backend'],
      ['docker', 'variable HOTCELL_BACKEND'],
      ['landlock', join(folder, 'hotcell.config.json')],
      ['runc', join(folder, '.env')],
      ['gvisor', join(homeFolder, '.hotcell/config.json')],
      ['auto', 'default'],
    ]);
  });

  it('reads the home folder that the nearer sources name', async () => {
    await mkdir(join(root, 'other'));
    await write('other/config.json', { policy: 'HIGH' });
    const { values, origins } = await loadSettings({}, caller({ HOTCELL_HOME: '../other' }));
    expect(values).toMatchObject({ home: join(root, 'other'), policy: 'HIGH' });
    expect(origins.policy).toEqual({ kind: 'home', where: join(root, 'other/config.json') });
  });

  it.each([
    [{ MCP_RCE_GUARD_HOME: '../theirs' }, 'theirs', 'variable MCP_RCE_GUARD_HOME'],
    [{ MCP_RCE_GUARD_HOME: '../theirs', HOTCELL_HOME: '../ours' }, 'ours', 'variable HOTCELL_HOME'],
    [{ HOTCELL_HOME: '../ours', MCP_RCE_GUARD_HOME: '' }, 'ours', 'variable HOTCELL_HOME'],
    [{ MCP_RCE_GUARD_HOME: '../theirs', HOTCELL_HOME: '' }, 'theirs', 'variable MCP_RCE_GUARD_HOME'],
  ])('takes the home folder of %j', async (environment, home, where) => {
    const { values, origins } = await loadSettings({}, caller(environment));
    expect([values.home, origins.home.where]).toEqual([join(root, home), where]);
  });

  const paths: readonly [string, Flags, Record<string, string>, string][] = [
    ['below the working folder', { policy: 'a/p.json' }, {}, 'work/a/p.json'],
    ['up from it', { policy: '../p.json' }, {}, 'p.json'],
    ['home', {}, { HOTCELL_POLICY: '~/p.json' }, 'home/p.json'],
  ];
  it.each(['/proc/nope', '/sys/x', '//proc'])('does not live in %s', async (home) => {
    await expect(loadSettings({}, caller({ HOTCELL_HOME: home }))).rejects.toThrow(/outside \/proc and \/sys/);
  });

  it.each(paths)('places a policy file: %s', async (_, flags, environment, expected) => {
    expect((await loadSettings(flags, caller(environment))).values.policy).toBe(join(root, expected));
  });

  it('places a path of the home file beside that file and leaves a tier alone', async () => {
    await write('home/.hotcell/config.json', { policy: 'p.json', dockerSocket: 'd.sock' });
    const { values } = await loadSettings({}, caller());
    expect(values.policy).toBe(join(homeFolder, '.hotcell/p.json'));
    expect(values.dockerSocket).toBe(join(homeFolder, '.hotcell/d.sock'));
    for (const name of ['MEDIUM', 'medium', 'MEDUIM', 'p.json']) {
      expect((await loadSettings({ policy: name }, caller())).values.policy).toBe(name);
    }
  });

  const fallbacks: readonly [string, Record<string, string>, number, Record<string, string>][] = [
    ['root', {}, 0, { runtimeFolder: '/run/hotcell', dockerSocket: '/var/run/docker.sock' }],
    ['a session', { XDG_RUNTIME_DIR: '/run/user/7' }, 7, { runtimeFolder: '/run/user/7/hotcell' }],
    ['no session', {}, 7, { runtimeFolder: '/tmp/hotcell-7' }],
    ['a relative session folder is not trusted', { XDG_RUNTIME_DIR: 'x' }, 7, { runtimeFolder: '/tmp/hotcell-7' }],
    ['docker by socket', { DOCKER_HOST: 'unix:///run/d.sock' }, 7, { dockerSocket: '/run/d.sock' }],
    ['docker by network', { DOCKER_HOST: 'tcp://10.0.0.1:2375' }, 7, { dockerSocket: '/var/run/docker.sock' }],
  ];
  it.each(fallbacks)('defaults for %s', async (_, environment, userId, expected) => {
    expect((await loadSettings({}, caller(environment, userId))).values).toMatchObject(expected);
  });

  const refused: readonly [string, () => Promise<unknown>, Record<string, string>, Flags, RegExp, RegExp | null][] = [
    [
      'unknown variable',
      async () => {},
      { HOTCELL_BACKND: 'x' },
      {},
      /environment: unknown setting "HOTCELL_BACKND"/,
      /HOTCELL_BACKEND$/,
    ],
    [
      'unknown key',
      () => write('work/hotcell.config.json', { polcy: 1 }),
      {},
      {},
      /unknown setting "polcy"/,
      /policy$/,
    ],
    [
      'a key like nothing',
      () => write('work/hotcell.config.json', { qqqqqq: 1 }),
      {},
      {},
      /unknown setting/,
      /^known: backend, policy/,
    ],
    [
      'unknown name in .env',
      () => write('work/.env', 'HOTCELL_COLOUR=never'),
      {},
      {},
      /\.env: unknown setting/,
      /HOTCELL_COLOR$/,
    ],
    [
      'home in the home file',
      () => write('home/.hotcell/config.json', { home: '/x' }),
      {},
      {},
      /unknown setting "home"/,
      null,
    ],
    ['a wrong value', async () => {}, { HOTCELL_BACKEND: 'gvisr' }, {}, /expected one of auto, gvisor/, /gvisor$/],
    [
      'a wrong flag',
      async () => {},
      {},
      { color: 'red' },
      /command line: --color: expected one of auto, always, never, not "red"/,
      null,
    ],
    ['a wrong type', () => write('work/hotcell.config.json', { policy: 7 }), {}, {}, /policy: .*not 7$/, null],
    ['no JSON', () => write('work/hotcell.config.json', '{'), {}, {}, /is not JSON/, null],
    ['no object', () => write('work/hotcell.config.json', '[]'), {}, {}, /expected an object/, null],
    ['a folder', () => mkdir(join(root, 'work/.env')), {}, {}, /is not a file/, null],
    ['a huge file', () => write('work/.env', '#'.repeat(70_000)), {}, {}, /larger than 64 KiB/, null],
    [
      'a prototype key',
      () => write('work/hotcell.config.json', '{"__proto__": {"backend": "docker"}}'),
      {},
      {},
      /unknown setting "__proto__"/,
      null,
    ],
  ];
  it.each(refused)('refuses %s', async (_, prepare, environment, flags, message, hint) => {
    await prepare();
    const error = await loadSettings(flags, caller(environment)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(message);
    if (hint !== null) expect((error as UsageError).hint).toMatch(hint);
  });
});
