import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Wanted } from './asked.ts';
import type { Program } from './contract.ts';
import { chooseProgram, npmPrograms, pythonPrograms } from './programs.ts';
import { samplePlace } from './sample-place.ts';

const place = samplePlace();
afterAll(() => rmSync(place.folder, { recursive: true, force: true }));

function program(name: string, isOwn = true, path = name): Program {
  return { name, path, runner: 'node', runnerArgs: [], isOwn };
}

const thePackage: Wanted = { is: 'package', spelled: 'p' };
const named = (name: string): Wanted => ({ is: 'program', name, args: [] });

describe('the program that is started', () => {
  it.each<[string, Wanted, 'npm' | 'pypi', string, readonly Program[], string]>([
    ['the only one', thePackage, 'npm', '@s/p', [program('other')], 'other'],
    ['the one named as the package', thePackage, 'npm', '@s/p', [program('a'), program('p')], 'p'],
    ['several names for one file', thePackage, 'npm', 'q', [program('a', true, 'x'), program('b', true, 'x')], 'a'],
    ['the one that is asked for', named('b'), 'npm', 'p', [program('a'), program('b')], 'b'],
    ['one of a package that came with it', named('b'), 'pypi', 'p', [program('a'), program('b', false)], 'b'],
    ['of Python, the one named as the package', thePackage, 'pypi', 'my-p', [program('my_p'), program('z')], 'my_p'],
  ])('is %s', (_, wanted, ecosystem, packageName, programs, expected) => {
    expect(chooseProgram(wanted, { programs, ecosystem, packageName, problems: [] }).name).toBe(expected);
  });

  it.each<[string, Wanted, 'npm' | 'pypi', readonly Program[], RegExp]>([
    ['there is none', thePackage, 'npm', [], /no program that could be started/],
    ['there are several', thePackage, 'npm', [program('a'), program('b')], /several programs.*a, b/],
    ['of Python the only one has another name', thePackage, 'pypi', [program('a')], /another name: a/],
    ['there is none of that name', named('c'), 'npm', [program('a'), program('b')], /no program "c", but: a, b/],
    ['a name would change the terminal', named('c'), 'npm', [program('\x1b[31m')], /but: \\x1b\[31m/],
  ])('is refused where %s', (_, wanted, ecosystem, programs, message) => {
    expect(() => chooseProgram(wanted, { programs, ecosystem, packageName: 'p', problems: [] })).toThrow(message);
  });
});

it('says why there is none, where the installation knows', () => {
  const choice = {
    programs: [],
    ecosystem: 'npm',
    packageName: 'p',
    problems: ['p postinstall ended with 1'],
  } as const;
  try {
    chooseProgram(thePackage, choice);
    expect.unreachable();
  } catch (error) {
    expect((error as { hint?: string }).hint).toMatch(/p postinstall ended with 1.*--update/);
  }
});

describe('programs of a tree', () => {
  const manifest = { name: '@s/p', bin: { one: 'one.js', two: './lib/two', bad: '../../../out.js', gone: 'gone.js' } };
  place.write('tree/node_modules/@s/p/package.json', JSON.stringify(manifest));
  place.write('tree/node_modules/@s/p/one.js', '#!/usr/bin/env -S node --no-warnings\n');
  place.write('tree/node_modules/@s/p/lib/two.js', '');
  place.write('tree/venv/bin/tool', `#!/bin/sh\n'''exec' "\${0%/*}/python" "$0" "$@"\n' '''\n`, 0o755);
  place.write('tree/venv/bin/native', '\x7fELF', 0o755);
  place.write('tree/venv/bin/python3', '\x7fELF', 0o755);
  const root = join(place.folder, 'tree');

  it('are those of npm that are there', () => {
    expect(npmPrograms(root, ['node_modules/@s/p'])).toEqual([
      { name: 'one', path: 'node_modules/@s/p/one.js', runner: 'node', runnerArgs: ['--no-warnings'], isOwn: true },
      { name: 'two', path: 'node_modules/@s/p/lib/two.js', runner: 'node', runnerArgs: [], isOwn: true },
    ]);
  });

  it('are those of a virtual environment, but not its Python', () => {
    const found = pythonPrograms(root, 'venv/bin', new Set(['tool']));
    expect(found.map(({ name, runner, isOwn }) => `${name} ${runner} ${isOwn}`).sort()).toEqual([
      'native itself false',
      'tool python true',
    ]);
  });
});
