import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { findInterpreter, findProgram, isOfSystem, parseShebang } from './interpreter.ts';
import { samplePlace } from './sample-place.ts';

const place = samplePlace(['python3']);
const { fetch } = place.options;
const inHome = (path: string): string => join(fetch.home, path);
afterAll(() => rmSync(place.folder, { recursive: true, force: true }));

describe('the first line of a script', () => {
  it.each<[string, string | null]>([
    ['#!/usr/bin/env node\nx', 'node'],
    ['#!/usr/bin/env -S node --no-warnings\n', 'node --no-warnings'],
    ['#!/usr/bin/env A=1 node\n', 'node'],
    ['#! /usr/bin/node --flag \r\n', 'node --flag'],
    ['#!/bin/sh', 'sh'],
    ['#!/opt/venv/bin/python3.11\n', 'python3.11'],
    ['#!', null],
    ['#!/usr/bin/env', null],
    ['#!/usr/bin/env -i', null],
    ['import x', null],
    ['', null],
  ])('%j', (text, expected) => {
    const found = parseShebang(text);
    expect(found === null ? null : [found.name, ...found.args].join(' ')).toBe(expected);
  });

  it('is read from any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = parseShebang(`#!${text}`);
        expect(found === null || !/[\n\0/]/.test(found.name)).toBe(true);
      }),
    );
  });
});

describe('programs', () => {
  it('are found as a shell finds them', () => {
    place.write('user/work/own', '', 0o755);
    place.write('user/work/plain', '', 0o644);
    expect(findProgram('node', fetch)).toBe(join(place.folder, 'tools/bin/node'));
    expect(findProgram('./own', fetch)).toBe(join(place.work, 'own'));
    expect(findProgram('~/work/own', fetch)).toBe(join(place.work, 'own'));
    for (const name of ['own', './plain', 'nothing', '', 'a\0b', '.', '/']) expect(findProgram(name, fetch)).toBeNull();
  });

  it('are not looked for in folders that depend on where one is', () => {
    expect(findProgram('own', { ...fetch, environment: { PATH: '.::work' } })).toBeNull();
  });
});

describe('an interpreter', () => {
  /** Which folders a box is given for an interpreter at this place. */
  async function given(path: string, name: 'node' | 'python3'): Promise<readonly string[]> {
    place.write(`user/${path}`, '\x7fELF', 0o755);
    const environment = { PATH: join(inHome(path), '..') };
    const { files } = await findInterpreter(name, name === 'node' ? 'node' : 'python', { ...fetch, environment });
    return files.map((rule) => rule.path.replace(`${fetch.home}/`, ''));
  }

  it.each<[string, 'node' | 'python3', readonly string[]]>([
    ['.nvm/versions/node/v22.1.0/bin/node', 'node', ['.nvm/versions/node/v22.1.0']],
    ['.pyenv/versions/3.11.7/bin/python3', 'python3', ['.pyenv/versions/3.11.7']],
    ['bin/node', 'node', ['bin/node']],
    ['.local/bin/node', 'node', ['.local/bin/node']],
    ['apps/node', 'node', ['apps/node']],
  ])('%s', async (path, name, expected) => {
    expect(await given(path, name)).toEqual(expected);
  });

  it('of a home folder brings its library and no more', async () => {
    mkdirSync(inHome('.local/lib/python3.12'), { recursive: true });
    expect(await given('.local/bin/python3', 'python3')).toEqual(['.local/bin/python3', '.local/lib/python3.12']);
  });

  it.each<[string, boolean]>([
    ['/usr/bin/node', true],
    ['/lib64/ld.so', true],
    ['/usrlocal/node', false],
    ['/opt/node/bin/node', false],
  ])('%s is of the system: %s', (path, expected) => {
    expect(isOfSystem(path)).toBe(expected);
  });

  it('of a virtual environment is the link in it, with what it leads to', async () => {
    place.write('user/.pyenv/versions/3.12.0/bin/python3.12', '\x7fELF', 0o755);
    place.write('user/work/app/.venv/pyvenv.cfg', '');
    mkdirSync(inHome('work/app/.venv/bin'));
    symlinkSync(inHome('.pyenv/versions/3.12.0/bin/python3.12'), inHome('work/app/.venv/bin/python'));
    const { path, files } = await findInterpreter(inHome('work/app/.venv/bin/python'), 'python', fetch);
    expect(path).toBe(inHome('work/app/.venv/bin/python'));
    expect(files.map((rule) => rule.path)).toEqual([inHome('work/app/.venv'), inHome('.pyenv/versions/3.12.0')]);
  });

  it('that a version manager stands in for is asked for', async () => {
    const real = place.write('user/.asdf/installs/nodejs/22/bin/node', '\x7fELF', 0o755);
    place.write('user/.asdf/shims/node', `#!/bin/sh\necho ${real}\n`, 0o755);
    const environment = { PATH: `${inHome('.asdf/shims')}:/usr/bin:/bin` };
    expect((await findInterpreter('node', 'node', { ...fetch, environment })).path).toBe(real);
  });

  it('in the folder of the server is never run to be asked', async () => {
    const mark = join(place.folder, 'was-run');
    const own = place.write('user/work/bin/node', `#!/bin/sh\ntouch ${mark}\necho /bin/true\n`, 0o755);
    const environment = { PATH: `${place.work}/bin:/usr/bin:/bin` };
    expect((await findInterpreter('node', 'node', { ...fetch, environment })).path).toBe(own);
    expect((await findInterpreter('./bin/node', 'node', fetch)).path).toBe(own);
    expect(existsSync(mark)).toBe(false);
  });
});
