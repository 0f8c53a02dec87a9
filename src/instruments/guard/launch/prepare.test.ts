import {
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { prepareServer, verifyServer } from './index.ts';
import { type SamplePlace, samplePlace } from './sample-place.ts';

/** Local packages without scripts: everything is done without a box and without a network. */

const places: SamplePlace[] = [];
afterAll(() => {
  for (const { folder } of places) rmSync(folder, { recursive: true, force: true });
});

let place: SamplePlace;
beforeEach(() => {
  place = samplePlace(['tool']);
  places.push(place);
  const manifest = { name: 'greeter', version: '1.2.3', bin: { greeter: 'server.js' } };
  place.write('user/work/greeter/package.json', JSON.stringify(manifest));
  place.write('user/work/greeter/server.js', '#!/usr/bin/env node\n1;\n');
});

const prepare = (words: string, refresh = false) => prepareServer(words.split(' '), { ...place.options, refresh });
const servers = (): readonly string[] => readdirSync(join(place.options.home, 'guard/servers'));

describe('a package that is installed', () => {
  it('is laid out once, and started from there ever after', async () => {
    const first = await prepare('npx ./greeter --name x');
    expect(first).toMatchObject({
      subject: `folder:${place.work}/greeter`,
      version: '1.2.3',
      isFresh: true,
      problems: [],
    });
    const root = join(first.folder ?? '', 'app');
    expect(first.argv).toEqual([join(place.folder, 'tools/bin/node'), join(root, 'server.js'), '--name', 'x']);
    expect(first.cwd).toBe(root);
    expect(first.files.map(({ path, access }) => [path, access])).toEqual([
      [root, 'execute'],
      [join(place.folder, 'tools'), 'execute'],
    ]);
    expect(lstatSync(join(root, 'server.js')).mode & 0o777).toBe(0o644);
    const again = await prepare('npx -y ./greeter --name y');
    expect(again).toMatchObject({ isFresh: false, integrity: first.integrity, change: null, folder: first.folder });
    expect(again.argv.at(-1)).toBe('y');
    expect(servers()).toHaveLength(1);
  });

  it('can be read by the user of a box, whatever the umask is', async () => {
    place.write('user/work/greeter/lib/deep/x.js', '');
    const before = process.umask(0o077);
    try {
      const { folder } = await prepare('npx ./greeter');
      const modes = ['', 'app', 'app/lib', 'app/lib/deep'].map(
        (path) => lstatSync(join(folder ?? '', path)).mode & 0o777,
      );
      expect(modes).toEqual([0o755, 0o755, 0o755, 0o755]);
      expect(lstatSync(join(folder ?? '', 'app/lib/deep/x.js')).mode & 0o777).toBe(0o644);
    } finally {
      process.umask(before);
    }
  });

  it('says in its record what it is', async () => {
    const { folder, integrity } = await prepare('npx ./greeter');
    const record = JSON.parse(readFileSync(join(folder ?? '', 'record.json'), 'utf8'));
    expect(record).toMatchObject({
      subject: `folder:${place.work}/greeter`,
      version: '1.2.3',
      integrity,
      launch: ['npx', './greeter'],
      ecosystem: 'npm',
      scripts: [],
    });
    expect(Date.parse(record.date)).toBeGreaterThan(0);
  });

  it('keeps its variables', async () => {
    const { argv } = await prepare('env A=1 npx ./greeter');
    expect(argv.slice(0, 2)).toEqual(['/usr/bin/env', 'A=1']);
  });

  it('stays the same when its folder changes, and tells; an update takes the change over', async () => {
    const first = await prepare('npx ./greeter');
    place.write('user/work/greeter/server.js', '#!/usr/bin/env node\n2222;\n');
    place.write('user/work/greeter/package.json', '{"name":"greeter","version":"2.0.0","bin":"server.js"}');
    const same = await prepare('npx ./greeter');
    expect(same).toMatchObject({ integrity: first.integrity, version: '1.2.3' });
    expect(same.problems).toEqual([expect.stringMatching(/has changed since it was installed.*--update/)]);
    const updated = await prepare('npx ./greeter', true);
    expect(updated.change).toEqual({
      from: { version: '1.2.3', integrity: first.integrity },
      to: { version: '2.0.0', integrity: updated.integrity },
    });
    expect(await prepare('npx ./greeter')).toMatchObject({ version: '2.0.0', problems: [], isFresh: false });
    expect((await prepare('npx ./greeter', true)).change).toBeNull();
  });

  it('that is gone from the cache is only replaced by the same bytes', async () => {
    const { folder } = await prepare('npx ./greeter');
    rmSync(folder ?? '', { recursive: true });
    expect(await prepare('npx ./greeter')).toMatchObject({ folder, isFresh: true });
    rmSync(folder ?? '', { recursive: true });
    place.write('user/work/greeter/server.js', 'other');
    await expect(prepare('npx ./greeter')).rejects.toThrow(/1\.2\.3 was pinned.*another hash/);
  });

  it.each<[string, (root: string) => void]>([
    ['changed', (root) => writeFileSync(join(root, 'server.js'), '#!/usr/bin/env node\n3;\n')],
    ['added', (root) => writeFileSync(join(root, 'more.js'), '')],
    ['missing', (root) => rmSync(join(root, 'package.json'))],
    [
      'changed',
      (root) => {
        const { atime, mtime } = lstatSync(join(root, 'server.js'));
        writeFileSync(join(root, 'server.js'), '#!/usr/bin/env node\n3;\n');
        utimesSync(join(root, 'server.js'), atime, mtime);
      },
    ],
  ])('is not started with a file %s', async (how, tamper) => {
    const { folder } = await prepare('npx ./greeter');
    tamper(join(folder ?? '', 'app'));
    await expect(prepare('npx ./greeter')).rejects.toThrow(new RegExp(`1 ${how}`));
    expect((await verifyServer(folder ?? '')).isIntact).toBe(false);
    // An update brings what was there in place again.
    expect((await prepare('npx ./greeter', true)).change).toBeNull();
    expect((await verifyServer(folder ?? '')).isIntact).toBe(true);
    expect((await prepare('npx ./greeter')).isFresh).toBe(false);
  });

  it('may be copied elsewhere and back', async () => {
    const { folder } = await prepare('npx ./greeter');
    cpSync(folder ?? '', join(place.folder, 'copy'), { recursive: true });
    rmSync(folder ?? '', { recursive: true });
    cpSync(join(place.folder, 'copy'), folder ?? '', { recursive: true });
    expect(await prepare('npx ./greeter')).toMatchObject({ isFresh: false });
  });

  it('is not started with a list or a record that was changed', async () => {
    const { folder } = await prepare('npx ./greeter');
    const record = join(folder ?? '', 'record.json');
    const text = readFileSync(record, 'utf8');
    writeFileSync(record, text.replace('server.js', '../../x'));
    await expect(prepare('npx ./greeter')).rejects.toThrow(/cannot be understood/);
    writeFileSync(record, text);
    writeFileSync(join(folder ?? '', 'seal'), 'x');
    writeFileSync(join(folder ?? '', 'manifest.json'), '[]');
    await expect(prepare('npx ./greeter')).rejects.toThrow(/not the one that its record names/);
  });

  it('can be installed by many at once', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => prepare('npx ./greeter')));
    expect(new Set(all.map(({ folder }) => folder)).size).toBe(1);
    expect(servers()).toHaveLength(1);
    expect(await verifyServer(all[0]?.folder ?? '')).toMatchObject({ isIntact: true, files: 2 });
    expect(readdirSync(join(place.options.home, 'work'))).toEqual([]);
  });

  it('leaves nothing behind when it cannot be had', async () => {
    await expect(prepare('npx -y some-package-that-is-not-cached')).rejects.toThrow(/some-package-that-is-not-cached/);
    expect(servers()).toEqual([]);
    expect(readdirSync(join(place.options.home, 'work'))).toEqual([]);
    expect(existsSync(join(place.options.home, 'guard/launches'))).toBe(false);
  });

  it('removes what somebody left behind long ago, and nothing newer', async () => {
    for (const name of ['.making-old', '.making-new']) place.write(`hotcell/guard/servers/${name}/app/x`, '');
    place.write('hotcell/work/launch-old/x', '');
    for (const path of ['guard/servers/.making-old', 'work/launch-old'])
      utimesSync(join(place.options.home, path), 1, 1);
    await prepare('npx ./greeter');
    expect(servers().filter((name) => name.startsWith('.'))).toEqual(['.making-new']);
    expect(readdirSync(join(place.options.home, 'work'))).toEqual([]);
  });

  it('has to have a program', async () => {
    place.write('user/work/library/package.json', '{"name":"library","version":"1.0.0"}');
    await expect(prepare('npx ./library')).rejects.toThrow(/no program that could be started/);
    place.write('user/work/two/package.json', '{"name":"two","bin":{"a":"a.js","b":"b.js"}}');
    place.write('user/work/two/a.js', '');
    place.write('user/work/two/b.js', '');
    await expect(prepare('npx ./two')).rejects.toThrow(/several programs.*a, b/);
    expect((await prepare('npx -p ./two b')).argv.at(-1)).toMatch(/\/app\/b\.js$/);
  });

  it('is given up on demand', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(prepareServer(['npx', './greeter'], { ...place.options, signal })).rejects.toThrow('enough');
  });
});

describe('a server that lies here already', () => {
  it.each<[string, string, string, string, readonly string[]]>([
    [
      'node greeter/server.js -p 1',
      'folder:W/greeter',
      'T/node W/greeter/server.js -p 1',
      'W/greeter',
      ['W/greeter', 'T'],
    ],
    ['./greeter/run.sh a', 'folder:W/greeter', 'W/greeter/run.sh a', 'W/greeter', ['W/greeter']],
    ['python3 app/main.py', 'folder:W/app', 'T/python3 W/app/main.py', 'W/app', ['W/app', 'T']],
    ['python3 -m app', 'command:W/app', 'T/python3 -m app', 'W', ['W', 'T']],
    [
      'uv run --directory app main.py x',
      'folder:W/app',
      'W/app/.venv/bin/python W/app/main.py x',
      'W/app',
      ['W/app', 'T'],
    ],
    [
      'uv run --directory app serve x',
      'folder:W/app',
      'W/app/.venv/bin/python W/app/.venv/bin/serve x',
      'W/app',
      ['W/app', 'T'],
    ],
    ['tool a', 'command:T/tool', 'T/tool a', 'T', ['T']],
    ['script a', 'command:T/script', 'T/node T/script a', 'T', ['T']],
  ])('%s', async (line, subject, argv, cwd, files) => {
    place.write('user/work/greeter/run.sh', '#!/bin/sh\n', 0o755);
    place.write('user/work/app/pyproject.toml', '[project]\nname = "app"\nversion = "0.3.0"\n');
    for (const name of ['main', '__main__']) place.write(`user/work/app/${name}.py`, '');
    place.write('user/work/app/.venv/pyvenv.cfg', '');
    place.write('user/work/app/.venv/bin/serve', '#!/gone/python\n', 0o755);
    place.write('tools/bin/script', '#!/usr/bin/env node\n', 0o755);
    const python = place.write('tools/bin/python3', '\x7fELF', 0o755);
    symlinkSync(python, join(place.work, 'app/.venv/bin/python'));
    const shown = (text: string): string =>
      text
        .replaceAll(place.work, 'W')
        .replaceAll(join(place.folder, 'tools/bin'), 'T')
        .replaceAll(join(place.folder, 'tools'), 'T');
    const prepared = await prepare(line);
    expect(shown(prepared.subject)).toBe(subject);
    expect(shown(prepared.argv.join(' '))).toBe(argv);
    expect(shown(prepared.cwd)).toBe(cwd);
    expect(prepared.files.map(({ path }) => shown(path))).toEqual(files);
    expect(prepared.problems).toEqual([]);
    expect(prepared.integrity).toMatch(/^sha256-/);
  });

  it('has the hash of its file and its lock file', async () => {
    const hash = async () => (await prepare('node greeter/server.js')).integrity;
    const before = await hash();
    expect(await hash()).toBe(before);
    place.write('user/work/greeter/package-lock.json', '{}');
    const locked = await hash();
    expect(locked).not.toBe(before);
    place.write('user/work/greeter/server.js', '2');
    expect(await hash()).not.toBe(locked);
    expect((await prepare('node greeter/server.js')).version).toBe('1.2.3');
  });

  it('in the home folder is given alone', async () => {
    const script = place.write('user/lone.js', '');
    const { files, cwd } = await prepare(`node ${script}`);
    expect(files.map(({ path }) => path)).toEqual([script, join(place.folder, 'tools')]);
    expect(cwd).toBe('/');
  });

  it('is started as it is where nobody can tell what it is, and that is told', async () => {
    const shell = await prepareServer(['/bin/sh', '-c', 'a && b'], place.options);
    expect(shell.argv.slice(1)).toEqual(['-c', 'a && b']);
    expect(shell.problems).toEqual([expect.stringMatching(/shell line.*nothing of it is pinned/)]);
    expect(shell.integrity).toMatch(/^sha256-/);
    const code = await prepareServer(['node', '-e', '1'], place.options);
    expect(code).toMatchObject({ subject: 'command:node', integrity: null });
    expect(code.problems).toHaveLength(1);
  });

  it.each([
    ['docker run --rm mcp/fetch', /outside of the box/],
    ['deno run -A npm:some-server', /fetches npm:some-server@latest while it starts/],
    ['nobody', /no program/],
  ])('%s is refused', async (line, message) => {
    await expect(prepare(line)).rejects.toThrow(UsageError);
    await expect(prepare(line)).rejects.toThrow(message);
  });
});
