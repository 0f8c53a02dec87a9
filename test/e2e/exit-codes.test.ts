import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, hotcell, type Place, program } from './hotcell.ts';

describe('exit codes and messages', () => {
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hotcell-exit-'));
    writeFileSync(
      join(folder, 'wrong.json'),
      '{ "extends": "LOW", "limts": {}, "files": [{ "path": "etc", "access": "red" }] }',
    );
    writeFileSync(join(folder, 'broken.json'), '{ "extends": ');
    writeFileSync(join(folder, 'fine.json'), '{ "extends": "LOW", "name": "fine" }');
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const table: readonly [args: string, code: number, output: RegExp, place?: Place][] = [
    ['version', 0, /^hotcell \d+\.\d+\.\d+ \(node 2\d\./],
    ['--version', 0, /^\d+\.\d+\.\d+$/m],
    ['--help', 0, /Usage: hotcell/],
    ['help box', 0, /Usage: hotcell box/],
    ['', 2, /Usage: hotcell/],
    ['policy', 2, /Usage: hotcell policy/],
    ['doctr', 2, /^hotcell: unknown command 'doctr'\n {2}Did you mean doctor\?$/m],
    ['policy shw LOW', 2, /unknown command 'shw'[\s\S]*Did you mean show/],
    ['doctor --jsno', 2, /unknown option '--jsno'[\s\S]*Did you mean --json/],
    ['version too many', 2, /too many arguments/],
    ['box', 2, /missing required argument 'command'/],
    ['box ls -l', 2, /unknown option '-l'\n {2}put -- before the command/],
    ['box --time soon -- true', 2, /--time "soon": expected a whole number of milliseconds/],
    ['box --time 5 -- true', 2, /--time "5": expected/],
    ['box --env NAME -- true', 2, /--env "NAME": expected NAME=VALUE/],
    ['box --workdir nowhere -- true', 2, /--workdir "nowhere": ENOENT/],
    ['box --workdir / -- true', 2, /\/ is not shown to a box/],
    ['box --workdir /proc/self -- true', 2, /is not shown to a box/],
    ['box --backend gvisr -- true', 2, /--backend: expected one of auto, gvisor[\s\S]*nearest known one is gvisor/],
    ['box --policy LOWW -- true', 2, /cannot read the policy "LOWW"[\s\S]*did you mean LOW\?/],
    ['box --policy wrong.json -- true', 2, /limts/],
    [
      'box --backend docker --docker-socket /nonexistent/socket -- true',
      4,
      /no isolation available, so nothing was started/,
    ],
    ['build --docker-socket /nonexistent/socket', 5, /docker/],
    ['audit log --verdict nonsense', 2, /--verdict: .*expected one of/],
    ['probe nmap 127.0.0.1', 2, /there is no scope, so nothing is scanned[\s\S]*--scope FILE/],
    ['probe nmap 127.0.0.1 --scope nowhere.json', 2, /nowhere\.json/],
    ['probe nmap', 2, /missing required argument 'target'/],
    ['probe scope --network-layer none --scope fine.json', 2, /--network-layer: expected gate or outside/],
    ['policy check LOW', 0, /LOW can be used; fingerprint [0-9a-f]+/],
    ['policy check fine.json', 0, /fine can be used/],
    [
      'policy check wrong.json',
      2,
      /limts[\s\S]*did you mean "limits"[\s\S]*files\[0\]\.path: expected an absolute path[\s\S]*files\[0\]\.access/,
    ],
    ['policy check broken.json', 2, /is not JSON: line 1, column/],
    ['policy check nowhere.json', 2, /cannot read the policy/],
    ['policy diff LOW LOW', 0, /LOW allows nothing that LOW does not/],
    ['policy diff HIGH LOW', 0, /LOW allows nothing that HIGH does not/],
    ['policy diff LOW fine.json', 0, /allows nothing that LOW does not/],
    ['policy diff LOW MEDIUM', 1, /MEDIUM allows \d+ things that LOW does not/],
    ['policy show LOW --for occi', 2, /occi[\s\S]*oci/],
    ['config', 0, /^backend +auto +default$/m],
    ['config --color sometimes', 2, /--color: expected one of auto, always, never/],
    [
      'version',
      2,
      /environment: unknown setting "HOTCELL_BACKND"[\s\S]*HOTCELL_BACKEND/,
      { environment: { HOTCELL_BACKND: 'x' } },
    ],
  ];

  it.each(table)('hotcell %s ends with %d', (args, code, output, place) => {
    const ran = hotcell(
      args.split(' ').filter((word) => word !== ''),
      { cwd: folder, ...place },
    );
    expect(ran.stdout + ran.stderr).toMatch(output);
    expect(ran.code).toBe(code);
    // What went wrong is told on stderr, so that stdout is either the answer or nothing.
    if (code === 2 || code >= 4) expect(ran.stdout).toBe('');
  });

  it('adds a stack trace with --debug, and only then', () => {
    expect(hotcell(['policy', 'check', 'nowhere.json']).stderr).not.toMatch(/\n +at /);
    expect(hotcell(['policy', 'check', 'nowhere.json', '--debug']).stderr).toMatch(/\n +at /);
  });

  it('colours only when asked to, where there is no terminal', () => {
    const isColored = (args: readonly string[], environment = {}) =>
      hotcell(['policy', 'check', 'LOW', ...args], { environment }).stdout.includes('\u001b[');
    expect(isColored([])).toBe(false);
    expect(isColored(['--color', 'always'])).toBe(true);
    expect(isColored(['--color', 'always', '--no-color'])).toBe(false);
    expect(isColored([], { HOTCELL_COLOR: 'always' })).toBe(true);
  });

  it.each([['version'], ['policy', 'show', 'LOW', '--json']])(
    '5 when the output of %s %s %s cannot be written',
    (...args) => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(program, args, {
        env: cleanEnvironment(),
        encoding: 'utf8',
        stdio: ['ignore', full, 'pipe'],
        timeout: 170_000,
      });
      closeSync(full);
      expect({ status, stderr }).toEqual({
        status: 5,
        stderr: expect.stringMatching(/^hotcell: the output could not be written: ENOSPC.*\n$/),
      });
    },
  );
});
