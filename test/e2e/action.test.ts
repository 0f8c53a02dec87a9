import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { repository } from './hotcell.ts';

/** The action for GitHub: its own script is run, with a program in the place of `hotcell` that tells its arguments. */

const text = readFileSync(join(repository, '.github', 'action.yml'), 'utf8');

/** The blocks of text below `run: |`, without their indentation. */
const scripts = [...text.matchAll(/^( +)run: \|\n((?:\1 {2}.*\n|\n)+)/gm)].map(([, indent = '', body = '']) =>
  body.replaceAll(new RegExp(`^${indent}  `, 'gm'), ''),
);

const root = mkdtempSync(join(tmpdir(), 'hotcell-action-'));
afterAll(() => rmSync(root, { recursive: true }));
for (const folder of ['.github', 'bin', 'work']) mkdirSync(join(root, folder));
writeFileSync(
  join(root, 'bin', 'hotcell'),
  '#!/bin/sh\nfor word; do printf "%s\\0" "$word" >>args; done\n: >hotcell.sarif\nexit "${STUB_EXIT:-0}"\n',
);
chmodSync(join(root, 'bin', 'hotcell'), 0o755);

interface Ran {
  readonly code: number | null;
  readonly args: readonly string[];
  readonly output: string;
}

function run(wanted: Readonly<Record<string, string>>): Ran {
  const work = mkdtempSync(join(root, 'work', 'x'));
  const environment = {
    PATH: '/usr/bin:/bin',
    GITHUB_ACTION_PATH: join(root, '.github'),
    GITHUB_OUTPUT: join(work, 'output'),
    WANTED_TARGETS: '.',
    WANTED_FAIL_ON: '',
    WANTED_BUDGET: 'standard',
    WANTED_BACKEND: 'auto',
    WANTED_OFFLINE_OK: 'false',
    WANTED_INCOMPLETE_OK: 'false',
    WANTED_SARIF: 'hotcell.sarif',
    ...wanted,
  };
  const { status } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', scripts[1] ?? 'exit 99'], {
    cwd: work,
    env: environment,
    encoding: 'utf8',
    timeout: 120_000,
  });
  const read = (name: string): string => (existsSync(join(work, name)) ? readFileSync(join(work, name), 'utf8') : '');
  return { code: status, args: read('args').split('\0').slice(0, -1), output: read('output') };
}

describe('the action', () => {
  it('has no value of a caller in a script', () => {
    expect(scripts).toHaveLength(2);
    for (const script of scripts) expect(script).not.toContain('${{');
  });

  it('hands targets and options over', () => {
    const { code, args, output } = run({ WANTED_TARGETS: './a\n\nnpm:b@1\n', WANTED_FAIL_ON: 'medium' });
    expect(args).toEqual([
      'analyze',
      '--budget=standard',
      '--backend=auto',
      '--output=hotcell.sarif',
      '--fail-on=medium',
      './a',
      'npm:b@1',
    ]);
    expect([code, output]).toEqual([0, 'exit-code=0\nsarif=hotcell.sarif\n']);
  });

  it.each(['$(touch pwned)', '"; touch pwned; "', '`touch pwned`', "'; touch pwned #", 'a b  *'])(
    'takes %j for a name and nothing else',
    (target) => {
      const { args } = run({ WANTED_TARGETS: target, WANTED_BUDGET: target });
      expect(args.at(-1)).toBe(target);
      expect(args[1]).toBe(`--budget=${target}`);
    },
  );

  it.each([
    ['a finding', { STUB_EXIT: '1' }, 1],
    ['an incomplete run', { STUB_EXIT: '3' }, 3],
    ['an incomplete run that is accepted', { STUB_EXIT: '3', WANTED_INCOMPLETE_OK: 'true' }, 0],
    ['a finding all the same', { STUB_EXIT: '1', WANTED_INCOMPLETE_OK: 'true' }, 1],
    ['no target', { WANTED_TARGETS: '\n' }, 2],
    ['an option in the place of a target', { WANTED_TARGETS: '--folder=/etc' }, 2],
  ])('ends as it should for %s', (_, wanted, code) => {
    expect(run(wanted).code).toBe(code);
  });
});
