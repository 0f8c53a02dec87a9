import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import type { Report } from '../../../base/report-schema.ts';
import type { AnalyzeContext } from '../../../instruments/analyze/run/index.ts';
import { writeRunRecord } from '../../../instruments/analyze/run/run-record.ts';
import { writeRun } from '../../../instruments/analyze/run/write-run.ts';
import type { PlannedTarget } from '../../../instruments/analyze/scan/index.ts';
import type { Analyze } from '../../tools/runs/one-target.ts';
import { cleanReport, hint, sampleAnalysis, sampleFinding, sampleReport } from '../../tools/runs/sample-report.ts';
import { runDiffCommand } from './diff.ts';
import { runFlagsSchema } from './flags.ts';
import { runReplayCommand } from './replay.ts';
import { runReportCommand } from './report.ts';
import { openSampleDoor } from './sample-door.ts';

const root = mkdtempSync(join(tmpdir(), 'hotcell-runs-'));
const home = join(root, 'home');
const target = join(root, 'notes');
afterAll(() => rmSync(root, { recursive: true }));

const { id } = sampleFinding();
const bad = sampleReport({ target: { kind: 'folder', spec: target } });

async function keep(report: Report, name: string): Promise<void> {
  const folder = join(home, 'runs', name);
  await writeRun({ report, bom: { bomFormat: 'CycloneDX' }, folder }, []);
  await writeRunRecord(folder, {
    format: 'hotcell-run',
    version: 1,
    target,
    backend: 'auto',
    budget: 'quick',
    mostMs: 1000,
    patienceMs: 700,
    args: ['--root'],
    props: [{ kind: 'service', name: 'redis' }],
    variables: ['TOKEN'],
    headers: [],
    hasNetwork: true,
    seed: 'seed-1',
  });
}

beforeAll(async () => {
  mkdirSync(target);
  await keep(cleanReport(), '20260101-000000-1');
  await keep(bad, '20260102-000000-1');
  // A watched box leaves a folder without a report.
  mkdirSync(join(home, 'runs', '20260103-000000-1'));
  writeFileSync(join(root, 'alone.json'), JSON.stringify(bad));
  writeFileSync(join(root, 'broken.json'), '{');
  writeFileSync(join(root, 'other.json'), JSON.stringify({ ...bad, isComplete: 'yes' }));
});

const open = (environment: Record<string, string> = {}) => openSampleDoor({ folder: root, home, environment });
const plainFlags = { output: [], open: false, details: false };

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  return `${(error as UsageError).message}\n${(error as UsageError).hint ?? ''}`;
}

describe('hotcell report', () => {
  it.each(['latest', '20260102-000000-1', 'home/runs/20260102-000000-1', 'home/runs/20260102-000000-1/report.json'])(
    'shows %s',
    async (name) => {
      const { door, stdout } = await open();
      expect(await runReportCommand(plainFlags, [name], door)).toBe(0);
      expect(stdout()).toContain('FAILS  risk 98');
      expect(stdout()).toContain('hotcell replay 20260102-000000-1 2a7e8bf8');
    },
  );

  it('shows a report that lies alone', async () => {
    const { door, stdout } = await open();
    await runReportCommand(plainFlags, ['alone.json'], door);
    expect(stdout()).toContain('FAILS  risk 98');
    expect(stdout()).not.toContain('Kept in');
  });

  it('makes other documents, the bill of materials too', async () => {
    const { door, stdout } = await open();
    await runReportCommand(
      { ...plainFlags, format: 'cyclonedx', output: ['again.md', 'again.json'] },
      ['latest'],
      door,
    );
    expect(JSON.parse(stdout())).toEqual({ bomFormat: 'CycloneDX' });
    expect(JSON.parse(readFileSync(join(root, 'again.json'), 'utf8'))).toEqual(bad);
    expect(readFileSync(join(root, 'again.md'), 'utf8')).toContain('interrogate/command-injection');
  });

  it('opens the page where there is a desktop, and prints where it is', async () => {
    const bin = join(root, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, process.platform === 'darwin' ? 'open' : 'xdg-open'), '#!/bin/sh\n');
    for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
    const page = join(home, 'runs', '20260102-000000-1', 'report.html');
    const desktop = await open({ PATH: bin });
    await runReportCommand({ ...plainFlags, open: true }, ['latest'], desktop.door);
    expect([desktop.stdout(), desktop.stderr()]).toEqual([`${page}\n`, '']);
    const none = await open({ PATH: '/nonexistent' });
    await runReportCommand({ ...plainFlags, open: true }, ['latest'], none.door);
    expect([none.stdout(), none.stderr()]).toEqual([`${page}\n`, 'hotcell: there is no desktop to open a page with\n']);
  });

  it.each([
    ['lattest', /there is no run "lattest"\ndid you mean latest\?/],
    ['20260102-000000-2', /did you mean 20260102-000000-1\?/],
    ['nothing-like-it-at-all', /the newest are 20260102-000000-1, 20260101-000000-1/],
    ['broken.json', /broken\.json is not JSON/],
    ['other.json', /other\.json is no report of Hotcell: isComplete: /],
    ['notes', /"notes" holds no report\.json/],
  ])('refuses %s', async (name, message) => {
    const { door } = await open();
    expect(await messageOf(runReportCommand(plainFlags, [name], door))).toMatch(message);
  });

  it('says where runs would be when there is none', async () => {
    const { door } = await openSampleDoor({ folder: root, home: join(root, 'empty') });
    expect(await messageOf(runReportCommand(plainFlags, ['latest'], door))).toMatch(/no run is kept in/);
  });
});

describe('hotcell replay', () => {
  const flags = (more: object = {}) => runFlagsSchema.parse({ offline: true, quiet: true, ...more });
  const answer =
    (report: Report, seen: [PlannedTarget, AnalyzeContext][] = []): Analyze =>
    async (planned, context) => {
      seen.push([planned, context]);
      return { report, bom: null, folder: context.folder };
    };

  const notStarted = { ...sampleAnalysis().start, isStarted: false };
  const table: readonly [string, Report, number, RegExp][] = [
    [
      'confirmed',
      bad,
      1,
      /^confirmed {2}The tool search[\s\S]*event {4}exec: \/usr\/bin\/touch m[\s\S]*events 41, 42 of/,
    ],
    ['not reproduced', sampleReport({ findings: [] }), 0, /^not reproduced /],
    ['a hint alone', sampleReport({ findings: [sampleFinding({ evidenceClass: 'D' })] }), 0, /^not reproduced /],
    [
      'it did not start',
      sampleReport({ findings: [], analysis: sampleAnalysis({ start: notStarted }) }),
      3,
      /^inconclusive .*the server did not start/,
    ],
    [
      'no trial was made',
      sampleReport({ findings: [], analysis: sampleAnalysis({ calls: [] }) }),
      3,
      /^inconclusive .*it did not come to trying it/,
    ],
    [
      'sensors missed something',
      sampleReport({ findings: [], analysis: sampleAnalysis({ completeness: { isComplete: false, sensors: [] } }) }),
      3,
      /^inconclusive .*sensors did not see everything/,
    ],
  ];
  it.each(table)('says it: %s', async (_, report, code, text) => {
    const { door, stdout } = await open();
    expect(await runReplayCommand(flags(), ['latest', id.slice(0, 6)], door, answer(report))).toBe(code);
    expect(stdout()).toMatch(text);
    rmSync(join(home, 'runs', newest()), { recursive: true });
  });

  const newest = (): string => readdirSync(join(home, 'runs')).toSorted().at(-1) ?? '';

  it('does only that again, as the run was asked for, and remembers nothing of it', async () => {
    const { door, stderr, stdout } = await open();
    const seen: [PlannedTarget, AnalyzeContext][] = [];
    await runReplayCommand(flags({ json: true, folder: 'again' }), ['latest', id], door, answer(bad, seen));
    const [planned, context] = seen[0] ?? [];
    expect(planned?.target).toEqual({ kind: 'folder', path: target });
    expect(context?.wishes).toMatchObject({
      focus: { kind: 'trial', trial: 'shell/subshell search /word' },
      budget: 'quick',
      patienceMs: 700,
      args: ['--root'],
      props: [{ kind: 'service', name: 'redis' }],
      seed: 'seed-1',
      model: null,
    });
    expect(context?.pinFolder).toBeNull();
    expect(stderr()).toContain('that run was given --env TOKEN, which is not kept');
    expect(JSON.parse(stdout())).toMatchObject({ is: 'confirmed', finding: id, folder: join(root, 'again') });
  });

  it('pins a package to the version that was looked at', async () => {
    const pinned = { name: '@a/b', version: '1.2.3' };
    for (const [kind, spec, expected] of [
      ['npm', 'npm:@a/b@latest', 'npm:@a/b@1.2.3'],
      ['command', '-- npx -y @a/b --port 1', '-- npx -y @a/b --port 1'],
    ] as const) {
      const report = sampleReport({ target: { kind, spec, resolved: pinned } });
      writeFileSync(join(root, 'package.json'), JSON.stringify(report));
      const seen: [PlannedTarget, AnalyzeContext][] = [];
      const { door } = await open();
      await runReplayCommand(flags(), ['package.json', id], door, answer(report, seen));
      const planned = seen[0]?.[0];
      const started = planned?.target.kind === 'command' ? planned.target.starts : planned?.target;
      expect(started).toEqual({ kind: 'npm', name: '@a/b', wanted: { is: 'version', value: '1.2.3' } });
      expect(planned?.spec === spec || planned?.spec === expected).toBe(true);
      rmSync(join(home, 'runs', newest()), { recursive: true });
    }
  });

  it.each([
    ['ffff', /has no finding "ffff"\nit has 2a7e8bf8, /],
    ['', /has no finding ""/],
    [hint.id, /was found by reading and not by running[\s\S]*hotcell scan/],
  ])('refuses the finding %j', async (wanted, message) => {
    const { door } = await open();
    expect(await messageOf(runReplayCommand(flags(), ['latest', wanted], door, answer(bad)))).toMatch(message);
  });

  it('refuses a beginning that fits several', async () => {
    const twin = sampleFinding({ id: `${id.slice(0, 4)}000000000000` });
    writeFileSync(join(root, 'twins.json'), JSON.stringify(sampleReport({ findings: [sampleFinding(), twin] })));
    const { door } = await open();
    expect(await messageOf(runReplayCommand(flags(), ['twins.json', id.slice(0, 4)], door, answer(bad)))).toMatch(
      /fits 2 findings/,
    );
  });
});

describe('hotcell diff', () => {
  it('ends with 1 when something is worse, and shows it', async () => {
    const { door, stdout } = await open();
    expect(await runDiffCommand({ json: false }, ['20260101-000000-1', 'latest'], door)).toBe(1);
    expect(stdout()).toMatch(/\nworse\n {2}! the verdict went from passes to fails\n/);
    expect(stdout()).toContain('The tool search runs what its argument says');
  });

  it('ends with 0 when nothing is, as data too', async () => {
    const { door, stdout } = await open();
    expect(await runDiffCommand({ json: true }, ['latest', 'latest'], door)).toBe(0);
    expect(JSON.parse(stdout())).toMatchObject({ format: 'hotcell-difference', isSame: true });
  });
});
