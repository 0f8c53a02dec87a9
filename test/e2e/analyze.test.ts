import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Report, reportSchema } from '../../src/base/report-schema.ts';
import { readPolicy } from '../../src/engine/policy/index.ts';
import { folderOf, preparedFolder } from '../samples/servers/sample-servers.ts';
import { hotcell, type Ran, readUntil, startHotcell } from './hotcell.ts';

/** `hotcell analyze` on sample servers, and what can be done with its runs afterwards. Nothing is fetched. */

const root = mkdtempSync(join(tmpdir(), 'hotcell-analyze-'));
const environment = { HOTCELL_HOME: join(root, 'home') };
const longestMs = 170_000;

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  rmSync(preparedFolder, { recursive: true, force: true });
});

const sample = (id: string): string => folderOf({ id, language: 'javascript' });
const offline = ['--offline', '--offline-ok', '--budget', 'quick'];

function run(...args: readonly string[]): Ran {
  return hotcell(args, { cwd: root, environment });
}

function reportIn(folder: string): Report {
  return reportSchema.parse(JSON.parse(readFileSync(join(root, folder, 'report.json'), 'utf8')));
}

const findingsIn = (folder: string) => reportIn(folder).subjects.flatMap(({ findings }) => findings);

describe('hotcell analyze', () => {
  let hostile: Ran;
  let twin: Ran;

  beforeAll(() => {
    hostile = run('analyze', sample('shell-injection'), ...offline, '--folder', 'hostile', '-o', 'out.json');
    twin = run('analyze', sample('shell-injection-twin'), ...offline, '--folder', 'twin');
  }, longestMs);

  it('proves what a hostile server lets be done to it, and ends with 1', () => {
    expect(hostile.code, hostile.stderr).toBe(1);
    expect(hostile.stdout).toMatch(/^FAILS {2}risk \d+ of 100/m);
    expect(hostile.stdout).toMatch(/^ {2}weakness +vulnerable/m);
    const proven = findingsIn('hostile').filter(
      ({ evidenceClass, axis }) => evidenceClass === 'A' && axis === 'weakness',
    );
    expect(proven.flatMap(({ cwe }) => cwe)).toContain('CWE-78');
    expect(JSON.parse(readFileSync(join(root, 'out.json'), 'utf8'))).toEqual(reportIn('hostile'));
  });

  it('finds nothing of the kind in its twin, and ends with 0', () => {
    expect(twin.code, twin.stdout + twin.stderr).toBe(0);
    expect(twin.stdout).toMatch(/^PASSES {2}/m);
    expect(findingsIn('twin').filter(({ evidenceClass }) => evidenceClass === 'A' || evidenceClass === 'B')).toEqual(
      [],
    );
  });

  it('keeps everything of a run in its folder', () => {
    const names = readdirSync(join(root, 'twin'));
    for (const name of [
      'report.json',
      'report.html',
      'report.sarif',
      'report.md',
      'policy.json',
      'run.json',
      'events.ndjson',
    ]) {
      expect(names, name).toContain(name);
    }
    expect(readPolicy(join(root, 'twin', 'policy.json')).policy.version).toBe(1);
    expect(run('events', 'twin', '--limit', '5').code).toBe(0);
  });

  it(
    'names the harm that a server does by itself',
    () => {
      const ran = run('analyze', sample('ssh-key-on-start'), ...offline, '--folder', 'thief');
      expect(ran.code, ran.stderr).toBe(1);
      expect(ran.stdout).toMatch(/^ {2}hostility +malicious/m);
      expect(findingsIn('thief').some(({ axis, evidenceClass }) => axis === 'hostility' && evidenceClass === 'A')).toBe(
        true,
      );
    },
    longestMs,
  );

  it(
    'tells programs in lines',
    () => {
      const ran = run('analyze', sample('shell-injection-twin'), ...offline, '--json');
      const lines = ran.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string });
      expect(lines.map(({ kind }) => kind)).toContain('stage');
      expect(lines.at(-1)).toMatchObject({ kind: 'result', exitCode: 0, verdict: { band: 'passes' } });
    },
    longestMs,
  );

  it(
    'ends in good order when it is interrupted',
    async () => {
      const folder = join(root, 'cut');
      const child = startHotcell([
        'analyze',
        sample('shell-injection'),
        '--offline',
        '--budget',
        'deep',
        '--folder',
        folder,
        '--home',
        environment.HOTCELL_HOME,
      ]);
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const said = readUntil(child.stderr, 'using it honestly');
      const shown = readUntil(child.stdout, 'It is incomplete');
      await said;
      child.kill('SIGINT');
      child.stderr.resume();
      expect(await exited).toBe(3);
      expect(await shown).toContain('It is incomplete');
      expect(reportIn('cut').isComplete).toBe(false);
    },
    longestMs,
  );

  it.each([
    [['analyze', './absent'], 2, /absent/],
    [['analyze', '.', '--budget', 'standart'], 2, /--budget "standart"[\s\S]*did you mean standard\?/],
    [['analyze', '.', '--env', 'A B=1'], 2, /--env "A B"/],
    [['analyze', '.', '--prop', 'mysql'], 2, /--prop "mysql"/],
    [['analyze', '.', '--buget', 'quick'], 2, /Did you mean --budget\?/],
    [['analise', '.'], 2, /Did you mean analyze\?/],
    [['report', 'lattest'], 2, /there is no run "lattest"/],
    [['replay', 'hostile', 'ffffffff'], 2, /has no finding/],
    [['diff', 'hostile', 'absent'], 2, /there is no run "absent"/],
  ] as const)('refuses %j', (args, code, message) => {
    const ran = run(...args);
    expect(ran.stderr).toMatch(message);
    expect(ran.code).toBe(code);
    expect(ran.stdout).toBe('');
  });

  it('runs nothing where there is no isolation', () => {
    const ran = run(
      'analyze',
      sample('shell-injection'),
      ...offline,
      '--backend',
      'docker',
      '--docker-socket',
      '/nonexistent',
    );
    expect(ran.code).toBe(4);
  });

  it('shows a run again', () => {
    const shown = run('report', 'hostile');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('FAILS');
    expect(run('report', 'hostile/report.json', '--format', 'sarif').stdout).toContain('"version": "2.1.0"');
    expect(run('report', 'latest').code).toBe(0);
    const opened = run('report', 'hostile', '--open');
    expect(existsSync(opened.stdout.trim())).toBe(true);
  });

  it(
    'does a finding again: it is there in the hostile one',
    () => {
      const [proven] = findingsIn('hostile').filter(({ evidenceClass }) => evidenceClass === 'A');
      const ran = run('replay', 'hostile', proven?.id.slice(0, 10) ?? '', '--offline');
      expect(ran.stdout, ran.stderr).toMatch(/^confirmed /);
      expect(ran.code).toBe(1);
    },
    longestMs,
  );

  it('says what is worse in one of two runs', () => {
    expect(run('diff', 'twin', 'hostile').code).toBe(1);
    expect(run('diff', 'hostile', 'hostile').code).toBe(0);
    expect(JSON.parse(run('diff', 'twin', 'hostile', '--json').stdout)).toMatchObject({ isWorse: true });
  });
});
