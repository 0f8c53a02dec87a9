import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hotcell } from './hotcell.ts';

describe('hotcell config', () => {
  let root = '';
  let cwd = '';
  let home = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hotcell-config-'));
    cwd = join(root, 'work');
    home = join(root, 'home');
    mkdirSync(cwd);
    mkdirSync(home);
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function read(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Record<string, { value: string; from: string }> {
    const ran = hotcell(['config', '--json', ...args], { cwd, environment: { HOTCELL_HOME: home, ...environment } });
    expect(ran.stderr).toBe('');
    return JSON.parse(ran.stdout) as Record<string, { value: string; from: string }>;
  }

  it('takes each value from the nearest place and says which', () => {
    writeFileSync(join(home, 'config.json'), JSON.stringify({ policy: 'HIGH', backend: 'gvisor', color: 'never' }));
    writeFileSync(join(cwd, '.env'), 'HOTCELL_POLICY=MEDIUM\nOTHER=ignored\n');
    writeFileSync(join(cwd, 'hotcell.config.json'), JSON.stringify({ logLevel: 'quiet' }));
    const shown = read(['--backend', 'runc'], { HOTCELL_DOCKER_SOCKET: '/run/d.sock' });
    expect(
      Object.fromEntries(Object.entries(shown).map(([key, { value, from }]) => [key, [value, from]])),
    ).toMatchObject({
      backend: ['runc', 'flag --backend'],
      policy: ['MEDIUM', join(cwd, '.env')],
      home: [home, 'variable HOTCELL_HOME'],
      dockerSocket: ['/run/d.sock', 'variable HOTCELL_DOCKER_SOCKET'],
      color: ['never', join(home, 'config.json')],
      logLevel: ['quiet', join(cwd, 'hotcell.config.json')],
    });
  });

  it('shows the same in a table', () => {
    const { stdout } = hotcell(['config'], { cwd, environment: { HOTCELL_HOME: home } });
    expect(stdout).toMatch(/^home +\S+home +variable HOTCELL_HOME$/m);
    expect(stdout.trimEnd().split('\n')).toHaveLength(8);
  });

  const refused: readonly [string, string, string, RegExp][] = [
    [
      'a key in the config file',
      'work/hotcell.config.json',
      '{"polcy": "LOW"}',
      /unknown setting "polcy"\n {2}the nearest known one is policy/,
    ],
    [
      'a name in .env',
      'work/.env',
      'HOTCELL_POLCY=LOW',
      /unknown setting "HOTCELL_POLCY"\n {2}the nearest known one is HOTCELL_POLICY/,
    ],
    [
      'a key in the home file',
      'home/config.json',
      '{"colour": "never"}',
      /unknown setting "colour"\n {2}the nearest known one is color/,
    ],
  ];
  it.each(refused)('refuses %s that is not known, whatever the command', (_, path, text, message) => {
    writeFileSync(join(root, path), text);
    for (const command of ['config', 'version']) {
      const ran = hotcell([command], { cwd, environment: { HOTCELL_HOME: home } });
      expect(ran.code).toBe(2);
      expect(ran.stderr).toMatch(message);
    }
  });
});
