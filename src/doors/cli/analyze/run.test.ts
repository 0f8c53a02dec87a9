import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HostError, UsageError } from '../../../base/errors.ts';
import { reportSchema } from '../../../base/report-schema.ts';
import type { AnalyzeContext } from '../../../instruments/analyze/run/index.ts';
import { budgetTimes } from '../../../instruments/analyze/run/wishes.ts';
import type { PlannedTarget } from '../../../instruments/analyze/scan/index.ts';
import type { Analyze } from '../../tools/runs/one-target.ts';
import { cleanReport, sampleFinding, sampleReport } from '../../tools/runs/sample-report.ts';
import { analyzeFlagsSchema } from './flags.ts';
import { runAnalyzeCommand } from './run.ts';
import { openSampleDoor, type SampleOptions } from './sample-door.ts';

const root = mkdtempSync(join(tmpdir(), 'hotcell-analyze-'));
afterAll(() => rmSync(root, { recursive: true }));
for (const name of ['bad', 'good']) mkdirSync(join(root, name));

let homes = 0;

interface Asked {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly words?: readonly string[];
  readonly analyze?: Analyze;
  readonly door?: Partial<SampleOptions>;
}

/** The bad folder has a finding, every other is clean. */
const standIn: Analyze = async ({ spec }, { folder, onProgress }) => {
  onProgress({ kind: 'stage', stage: 'attack' });
  onProgress({ kind: 'finding', finding: sampleFinding() });
  return { report: spec.endsWith('bad') ? sampleReport() : cleanReport(), bom: { bomFormat: 'CycloneDX' }, folder };
};

async function run({ flags = {}, words = ['./good'], analyze = standIn, door: more = {} }: Asked) {
  const home = join(root, `home-${homes++}`);
  const sample = await openSampleDoor({ folder: root, home, ...more });
  const read = analyzeFlagsSchema.parse({ offline: true, ...flags });
  const code = await runAnalyzeCommand(read, words, sample.door, analyze);
  return { code, home, stdout: sample.stdout(), stderr: sample.stderr() };
}

describe('hotcell analyze', () => {
  it('prints the verdict, and keeps everything in a folder of its own', async () => {
    const { code, stdout, stderr, home } = await run({ words: ['./bad'] });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^notes-server[\s\S]*\nFAILS {2}risk 98 of 100\n/);
    expect(stderr).toBe('hotcell: attacking\ncritical  A  The tool search runs what its argument says\n');
    const [name = '', ...others] = readdirSync(join(home, 'runs'));
    expect(others).toEqual([]);
    const folder = join(home, 'runs', name);
    expect(stdout).toContain(`Kept in ${folder}\n`);
    expect(stdout).toContain(`hotcell report ${name} --open`);
    expect(readdirSync(folder).toSorted()).toEqual([
      'policy.json',
      'report.html',
      'report.json',
      'report.md',
      'report.sarif',
      'run.json',
      'sbom.cdx.json',
    ]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(reportSchema.parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')))).toEqual(sampleReport());
  });

  it('hands the wishes over, and nothing of the environment that was not named', async () => {
    const seen: AnalyzeContext[] = [];
    const environment = { GIVEN: 'yes', OTHER: 'no', CONTAINER_RUNTIME: 'runsc', CONTAINER_MEMORY_LIMIT: '512m' };
    await run({
      flags: { env: ['GIVEN', 'A=b=c'], arg: ['--x'], prop: ['kubectl=stub:v1', 'redis'], budget: 'quick', seed: 's1' },
      door: { environment },
      analyze: async (planned, context) => {
        seen.push(context);
        return standIn(planned, context);
      },
    });
    expect(seen[0]?.wishes).toEqual({
      budget: 'quick',
      ...budgetTimes.quick,
      environment: { GIVEN: 'yes', A: 'b=c' },
      args: ['--x'],
      props: [
        { kind: 'program', name: 'kubectl', text: 'v1' },
        { kind: 'service', name: 'redis' },
      ],
      headers: {},
      hasNetwork: true,
      memoryBytes: 512 * 1024 * 1024,
      seed: 's1',
      model: null,
    });
    expect(seen[0]?.box.backend).toBe('gvisor');
  });

  it('writes the files that were asked for, and one document to stdout', async () => {
    const { stdout } = await run({ words: ['./bad'], flags: { output: ['out.json', 'out.sarif'], format: 'json' } });
    expect(reportSchema.parse(JSON.parse(stdout)).subjects).toHaveLength(1);
    expect(readFileSync(join(root, 'out.json'), 'utf8')).toBe(stdout);
    expect(JSON.parse(readFileSync(join(root, 'out.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
  });

  it('tells programs in lines, and the last is the result', async () => {
    const { stdout, stderr, code } = await run({ words: ['./bad'], flags: { json: true } });
    expect(stderr).toBe('');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ kind }) => kind)).toEqual(['stage', 'finding', 'result']);
    expect(lines.at(-1)).toMatchObject({
      target: join(root, 'bad'),
      exitCode: code,
      isInterrupted: false,
      verdict: { band: 'fails' },
    });
    expect(existsSync(join(String(lines.at(-1)?.folder), 'report.json'))).toBe(true);
  });

  it('says nothing on the way where nobody wants it', async () => {
    expect((await run({ flags: { quiet: true } })).stderr).toBe('');
    expect((await run({ door: { environment: { HOTCELL_LOG_LEVEL: 'quiet' } } })).stderr).toBe('');
  });

  it('analyses several at once, each in a folder of its own, and does not mix what it prints', async () => {
    const order: string[] = [];
    let release = (): void => {};
    const goodIsDone = new Promise<void>((resolve) => {
      release = resolve;
    });
    const analyze: Analyze = async (planned, context) => {
      // The first waits for the second: only two at once can get here.
      if (planned.spec.endsWith('bad')) await goodIsDone;
      order.push(planned.spec.slice(-4));
      release();
      return standIn(planned, context);
    };
    const { stdout, stderr, code, home } = await run({ words: ['./bad', './good'], flags: { jobs: '2' }, analyze });
    expect(order).toEqual(['good', '/bad']);
    expect(stdout.indexOf('FAILS')).toBeLessThan(stdout.indexOf('PASSES'));
    expect(stderr).toContain(`hotcell: ${join(root, 'good')}: attacking\n`);
    expect(code).toBe(1);
    expect(readdirSync(join(home, 'runs'))).toHaveLength(2);
  });

  it('goes on with the others when one fails, and says so', async () => {
    const analyze: Analyze = (planned, context) =>
      planned.spec.endsWith('bad') ? Promise.reject(new HostError('no disk')) : standIn(planned, context);
    const { stdout, stderr, code } = await run({ words: ['./bad', './good'], analyze });
    expect(stderr).toContain(`hotcell: ${join(root, 'bad')}: no disk\n`);
    expect(stdout).toContain('PASSES');
    expect(code).toBe(5);
  });

  it('lets the error of a single target through, for its exit code', async () => {
    const analyze: Analyze = () => Promise.reject(new HostError('no box', { exitCode: 4 }));
    await expect(run({ analyze })).rejects.toMatchObject({ message: 'no box', exitCode: 4 });
  });

  const refused: readonly [string, Asked, RegExp][] = [
    ['a target that is not there', { words: ['./absent'] }, /absent/],
    ['a budget', { flags: { budget: 'standrd' } }, /--budget "standrd": expected quick, standard, deep, or seconds/],
    ['jobs', { flags: { jobs: '0' } }, /--jobs "0"/],
    ['a severity', { flags: { failOn: 'worst' } }, /--fail-on "worst"/],
    ['two uses of stdout', { flags: { json: true, format: 'json' } }, /--json and --format/],
    [
      'a variable of another tool',
      { door: { environment: { CONTAINER_CPU_LIMIT: 'many' } } },
      /^CONTAINER_CPU_LIMIT: expected/,
    ],
    ['a model without a key', { flags: { llm: 'anthropic' } }, /there is no key/],
    ['a URL', { flags: { serverUrl: 'localhost' } }, /--server-url "localhost"/],
    ['a folder that is not empty', { flags: { folder: '.' } }, /--folder ".": the folder is not empty/],
  ];
  it.each(refused)('refuses %s', async (_, asked, message) => {
    const error: unknown = await run(asked).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(message);
  });

  it('reads .env like other tools, and says so', async () => {
    writeFileSync(join(root, 'good', '.env'), 'CONTAINER_RUNTIME=bwrap\nUNRELATED="a\nALLOW_OUTBOUND_NETWORK=true\n');
    const seen: string[] = [];
    const { stderr } = await run({
      words: ['.'],
      door: { folder: join(root, 'good') },
      analyze: (planned, context) => {
        seen.push(String(context.box.backend));
        return standIn(planned, context);
      },
    });
    expect(seen).toEqual(['bwrap']);
    expect(stderr).toContain(`CONTAINER_RUNTIME comes from ${join(root, 'good', '.env')}\n`);
    expect(stderr).toContain('ALLOW_OUTBOUND_NETWORK changes nothing');
  });

  it('only lists when asked to', async () => {
    const { stdout, code } = await run({ flags: { list: true }, analyze: () => Promise.reject(new Error('never')) });
    expect([stdout, code]).toEqual([`  ${join(root, 'good')}\n`, 0]);
  });
});

describe('Ctrl-C', () => {
  /** Ends when it is asked to, as an analysis does. */
  const slow: Analyze = async (planned: PlannedTarget, context: AnalyzeContext) => {
    process.emit('SIGINT', 'SIGINT');
    expect(context.signal.aborted).toBe(true);
    return standIn(planned, context);
  };

  it('ends in good order: a report of what was known, and exit 3', async () => {
    const { code, stdout, stderr, home } = await run({ words: ['./bad', './good'], analyze: slow });
    expect(code).toBe(3);
    expect(stdout).toContain('It is incomplete');
    expect(stderr).toContain('hotcell: ending; once more to end at once\n');
    expect(stderr).toContain(`hotcell: ${join(root, 'good')}: not begun\n`);
    const [name = ''] = readdirSync(join(home, 'runs'));
    expect(existsSync(join(home, 'runs', name, 'report.json'))).toBe(true);
    expect(process.listenerCount('SIGINT')).toBe(0);
  });

  it('ends at once the second time', async () => {
    const never: Analyze = () => {
      process.emit('SIGINT', 'SIGINT');
      process.emit('SIGINT', 'SIGINT');
      return new Promise(() => {});
    };
    const { code, stderr } = await run({ analyze: never });
    expect(code).toBe(130);
    expect(stderr).toContain('hotcell: ended at once');
  });

  it('counts as incomplete where the work fails on it', async () => {
    const failing: Analyze = async () => {
      process.emit('SIGTERM', 'SIGTERM');
      throw new Error('aborted');
    };
    expect((await run({ analyze: failing })).code).toBe(3);
  });
});
