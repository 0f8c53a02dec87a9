import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judge } from './summary.ts';

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

describe('run-tests', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'run-tests-'));
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function run(tests: string | null): { readonly code: number | null; readonly lines: readonly string[] } {
    if (tests !== null)
      writeFileSync(join(root, 'a.test.ts'), `import { beforeAll, describe, expect, it } from 'vitest';\n${tests}`);
    const script = join(repository, 'scripts', 'run-tests.ts');
    const { status, stdout } = spawnSync(process.execPath, [script, '--no-install', '--root', root], {
      encoding: 'utf8',
      // Vitest marks the processes it starts; the inner run is a run of its own.
      env: { PATH: process.env.PATH, HOME: root, CI: 'true' },
    });
    return { code: status, lines: stdout.trimEnd().split('\n') };
  }

  const table: readonly [string, string | null, number, RegExp, RegExp | null][] = [
    ['all pass', "it('a', () => {});", 0, /^1 passed, 0 failed, 0 skipped$/, null],
    [
      'one fails',
      "it('a', () => {}); it('b', () => expect(1).toBe(2));",
      1,
      /^1 passed, 1 failed, 0 skipped$/,
      /^ {2}a\.test\.ts > b$/m,
    ],
    [
      'a skip with its reason',
      "it('a', () => {}); it('b', ({ skip }) => skip('no such tool'));",
      0,
      /^1 passed, 0 failed, 1 skipped$/,
      /^Skipped:\n {2}a\.test\.ts > b: no such tool$/m,
    ],
    [
      'a skip without one',
      "it('a', () => {}); it.skip('b', () => {});",
      0,
      /^1 passed, 0 failed, 1 skipped$/,
      /b: no reason given/,
    ],
    [
      'a file that does not load',
      "throw new Error('broken');",
      1,
      /^0 passed, [1-9]\d* failed, \d skipped$/,
      /a\.test\.ts: broken/,
    ],
    [
      'a suite whose preparation fails',
      "it('a', () => {}); describe('s', () => { beforeAll(() => { throw new Error('no'); }); it('b', () => {}); });",
      1,
      /^1 passed, 1 failed, 1 skipped$/,
      /a\.test\.ts > s: no/,
    ],
    [
      'an error outside any test',
      "it('a', async () => { setTimeout(() => { throw new Error('late'); }, 1); await new Promise((done) => setTimeout(done, 50)); });",
      1,
      /^1 passed, 1 failed, 0 skipped$/,
      /outside any test: late/,
    ],
    [
      'everything skipped',
      "it('a', ({ skip }) => skip('why'));",
      1,
      /^0 passed, [1-9]\d* failed, \d skipped$/,
      /no test ran/,
    ],
    ['no test at all', null, 1, /^0 passed, [1-9]\d* failed, \d skipped$/, /no test ran|no result/],
    [
      'the worker is killed',
      "it('a', () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); });",
      1,
      /^0 passed, [1-9]\d* failed, \d skipped$/,
      null,
    ],
  ];
  it.each(table)('%s', (_, tests, code, last, shown) => {
    const result = run(tests);
    expect(result.lines.at(-1)).toMatch(last);
    expect(result.code).toBe(code);
    if (shown !== null) expect(result.lines.join('\n')).toMatch(shown);
  });
});

describe('judge', () => {
  it('takes a runner that died for a failure, whatever it had counted', () => {
    const counted = { passed: 5, failed: [], skipped: [] };
    expect(judge(counted, 'ended with SIGKILL')).toMatchObject({ exitCode: 1 });
    expect(judge(null, 'ended with 134').text).toMatch(
      /gave no result \(ended with 134\)\n\n0 passed, 1 failed, 0 skipped\n$/,
    );
  });

  it('is content only with passed tests', () => {
    expect(judge({ passed: 5, failed: [], skipped: [] }, null)).toEqual({
      exitCode: 0,
      text: '\n5 passed, 0 failed, 0 skipped\n',
    });
  });
});
