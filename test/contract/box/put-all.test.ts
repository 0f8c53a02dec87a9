import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HostError, UsageError } from '../../../src/base/errors.ts';
import { mebibyte } from '../../../src/base/limits.ts';
import { type Box, backendIds, type PutFile } from '../../../src/engine/box/index.ts';
import { Arena, run, withLimits } from './arena.ts';

/** Many files get into a box, whatever the target does to the folders meanwhile. */

const text = (path: string, content = 'put', mode = 0o644): PutFile => ({ path, content: Buffer.from(content), mode });

/** Takes a folder away and puts a link to somewhere else in its place, and a new folder in place of that, again and again. */
const swapper = `
my ($folder, $outside) = @ARGV;
$| = 1;
print "ready\\n";
my $end = time + 20;
for (1 .. 2_000_000) {
  last if time > $end;
  rename $folder, "$folder-$_";
  rmdir "$folder-$_";
  symlink $outside, $folder;
  unlink $folder;
  mkdir $folder;
}
`;

/** How often both has to happen before a race counts as run, and after how many tries it ends in any case. */
const enough = 25;
const mostRounds = 3000;

/** Changes a file through memory, which on some file systems leaves its times as they are. */
const mapper = `
import mmap, os, sys
file = os.open(sys.argv[1], os.O_RDWR)
memory = mmap.mmap(file, 0)
memory[0]
memory[0] = 88
`;

function* tree(folder: string, folders: number, filesEach: number): Generator<PutFile> {
  for (let number = 0; number < folders * filesEach; number += 1) {
    const inner = number % folders;
    const path = `${folder}/package-${inner % 25}/lib-${inner}/file-${number}.js`;
    yield text(path, `file ${number}\n`, number % 10 === 0 ? 0o755 : 0o644);
  }
}

describe.each(backendIds)('many files in a %s box', (backend) => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  beforeEach((context) => arena.need(backend, context));
  afterEach(() => arena.closeBoxes());
  afterAll(() => arena.close());

  /** A folder of the host that nothing may get into. */
  function outside(): string {
    const folder = join(arena.runtimeFolder, `outside-${readdirSync(arena.runtimeFolder).length}`);
    mkdirSync(folder, { mode: 0o777 });
    return folder;
  }

  const inBox = async (box: Box, script: string): Promise<string> =>
    (await run(box, ['/bin/sh', '-c', script])).stdout.trim();

  it('puts 5,000 files into 500 folders, the target owns them, and none is a change', async () => {
    const box = await arena.box(backend);
    const { home } = box.folders;
    await box.putAll(tree(`${home}/modules`, 500, 10));
    const listed = (await inBox(box, 'find "$HOME/modules" -printf "%y %m %U:%G\\n"; id -u; id -g')).split('\n');
    const [uid, gid] = listed.splice(-2);
    const counts = Object.fromEntries(
      Object.entries(Object.groupBy(listed, (line) => line)).map(([line, all]) => [line, all?.length]),
    );
    expect(counts).toEqual({
      [`d 755 ${uid}:${gid}`]: 526,
      [`f 755 ${uid}:${gid}`]: 500,
      [`f 644 ${uid}:${gid}`]: 4500,
    });
    expect(await inBox(box, 'cat "$HOME/modules/package-24/lib-499/file-4999.js"')).toBe('file 4999');
    expect(await box.diff()).toEqual({ changes: [], isTruncated: false });
  });

  it('takes files as they come, from several sides at once', async () => {
    const box = await arena.box(backend);
    const { home, work, tmp } = box.folders;
    async function* slowly(name: string): AsyncGenerator<PutFile> {
      for (const folder of [home, work, tmp]) {
        await new Promise((resolve) => setImmediate(resolve));
        yield text(`${folder}/new/folder/${name}`);
      }
    }
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(names.map((name) => box.putAll(slowly(name))));
    await Promise.all(names.map((name) => box.put(`${home}/other/folder/${name}`, Buffer.from('x'))));
    const listed = await inBox(box, `find ${home}/new ${home}/other ${work}/new ${tmp}/new -type f -printf '%f\\n'`);
    for (const name of names) expect(listed.split('\n').filter((line) => line === name)).toHaveLength(4);
    expect((await box.diff()).changes).toEqual([]);
  });

  it.each([
    ['..', (box: Box) => `${box.folders.tmp}/../escaped`],
    ['.. further down', (box: Box) => `${box.folders.tmp}/a/../../escaped`],
    ['another folder', () => '/etc/escaped'],
    ['a folder that only begins like one of the box', (box: Box) => `${box.folders.home}-else/escaped`],
    ['a folder of the box', (box: Box) => `${box.folders.tmp}/`],
    ['a NUL', (box: Box) => `${box.folders.tmp}/x\0y`],
  ])('refuses %s, and keeps what was put before', async (_, hostile) => {
    const box = await arena.box(backend);
    const { tmp } = box.folders;
    const files = [text(`${tmp}/before`), text(hostile(box)), text(`${tmp}/after`)];
    await expect(box.putAll(files)).rejects.toThrow(UsageError);
    expect((await box.get(`${tmp}/before`)).toString()).toBe('put');
    await expect(box.get(`${tmp}/after`)).rejects.toThrow(/does not exist/);
  });

  it('follows no link and opens nothing but folders and plain files', async () => {
    const box = await arena.box(backend);
    const { tmp } = box.folders;
    const place = outside();
    writeFileSync(join(place, 'file'), 'untouched');
    await inBox(
      box,
      `cd $TMPDIR; ln -s ${place} folder; mkdir deep; ln -s ${place} deep/folder; ln -s ${place}/file link;
       ln -s ${place}/new dangling; echo x > plain; mkdir there; mkfifo pipe`,
    );
    for (const [name, reason] of [
      ['folder/planted', /link/],
      ['folder/new/planted', /link/],
      ['deep/folder/planted', /link/],
      ['link', /link/],
      ['dangling', /link/],
      ['plain/inner', /link or no folder/],
      ['there', /folder/],
      // Pipes of gVisor do not leave it.
      ...(backend === 'gvisor' ? [] : [['pipe', /plain file/] as const]),
    ] as const) {
      const putting = box.putAll([text(`${tmp}/first`), text(`${tmp}/${name}`)]);
      await expect(putting, name).rejects.toThrow(HostError);
      await expect(box.put(`${tmp}/${name}`, Buffer.from('put')), name).rejects.toThrow(reason);
    }
    expect(readdirSync(place)).toEqual(['file']);
  });

  it('is not led away by a target that swaps folders for links meanwhile', async () => {
    const box = await arena.box(backend);
    const { tmp } = box.folders;
    const place = outside();
    await box.put(`${tmp}/swap/there`, Buffer.from('x'));
    const child = await box.spawn(['/usr/bin/perl', '-e', swapper, `${tmp}/swap`, place]);
    child.stderr.resume();
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const counts = { put: 0, refused: 0 };
    for (let round = 0; round < mostRounds && Math.min(counts.put, counts.refused) < enough; round += 1) {
      const files = Array.from({ length: 3 }, (_, number) => text(`${tmp}/swap/new-${round}/${number}`));
      try {
        await box.putAll(files);
        counts.put += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(HostError);
        counts.refused += 1;
      }
      await delay(1);
    }
    child.kill('SIGKILL');
    await child.exited;
    expect(counts.put).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
    expect(readdirSync(place)).toEqual([]);
  });

  it('makes a folder anew that the target removed meanwhile', async () => {
    const box = await arena.box(backend);
    const { tmp } = box.folders;
    async function* files(): AsyncGenerator<PutFile> {
      yield text(`${tmp}/a/b/one`);
      await inBox(box, 'rm -r $TMPDIR/a');
      yield text(`${tmp}/a/b/two`);
    }
    await box.putAll(files());
    expect(await inBox(box, 'cd $TMPDIR/a/b && echo *')).toBe('two');
  });

  it('takes a folder of the target for what it is', async () => {
    const box = await arena.box(backend);
    const { tmp } = box.folders;
    await inBox(box, 'mkdir -m 700 $TMPDIR/own');
    await box.putAll([text(`${tmp}/own/ours/file`)]);
    const { changes } = await box.diff();
    expect(changes.map(({ path, kind, mode }) => ({ path, kind, mode }))).toEqual([
      { path: `${tmp}/own`, kind: 'created', mode: 0o700 },
    ]);
  });

  it('sees a change that leaves size and times as they were', async (context) => {
    const box = await arena.box(backend);
    const { home } = box.folders;
    await box.putAll([
      text(`${home}/map.py`, mapper),
      ...['mapped', 'rewritten', 'untouched'].map((name) => text(`${home}/${name}`, 'before')),
    ]);
    if ((await inBox(box, 'command -v python3')) === '') context.skip('no python3 here');
    await inBox(
      box,
      `cd; python3 map.py mapped; cp -p rewritten $TMPDIR/times; printf behind > rewritten;
       touch -r $TMPDIR/times rewritten; rm $TMPDIR/times`,
    );
    const { changes } = await box.diff();
    expect(changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      `changed ${home}/mapped`,
      `changed ${home}/rewritten`,
    ]);
  });

  it.runIf(process.getuid?.() === 0)('says when the disk is full, and leaves no half file', async () => {
    const box = await arena.box(backend, withLimits({ diskBytes: 4 * mebibyte }));
    const { home } = box.folders;
    const content = Buffer.alloc(mebibyte + 1, 'x');
    const files = Array.from({ length: 8 }, (_, number) => ({ path: `${home}/${number}`, content }));
    await expect(box.putAll(files)).rejects.toThrow(/disk of the box is full/);
    expect((await box.diff()).changes).toEqual([]);
  });
});
