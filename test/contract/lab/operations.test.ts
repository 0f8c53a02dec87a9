import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/fingerprint.ts';
import { mostSampleBytes } from '../../../src/instruments/lab/samples/room.ts';
import { peSamples } from '../../samples/lab/pe/samples.ts';
import { hasSshd, openSshd, type Sshd } from '../connector/places.ts';
import { openStubPlace } from './failures/stub-place.ts';
import { expectNone, findDescendants, untilSome } from './processes.ts';
import { openSampleLab, overSsh, type SampleLab } from './sample-lab.ts';

/** What is done with samples, by a lab that works in boxes and by one that works over ssh. */

let boxed: SampleLab;
let remote: SampleLab;
let sshd: Sshd | undefined;

beforeAll(async () => {
  boxed = await openSampleLab();
  if (!hasSshd()) return;
  sshd = await openSshd();
  remote = await openSampleLab(overSsh(sshd));
});

afterAll(async () => {
  await boxed?.close();
  await remote?.close();
  await sshd?.close();
});

/** Cancels, and says how it ended; it has two seconds for that. */
async function endingOf(running: Promise<unknown>, control: AbortController): Promise<unknown> {
  const outcome = running.then(
    () => 'it ended by itself',
    (error: unknown) => error,
  );
  control.abort(new Error('given up'));
  return Promise.race([outcome, sleep(2000, 'too late', { ref: false })]);
}

const places = [
  { place: 'in a box', open: () => boxed, mark: '301.501' },
  { place: 'over ssh', open: () => remote, mark: '301.502' },
] as const;

const lines: readonly (readonly [string, string, number])[] = [
  ['false && echo yes', '', 1],
  ['false || echo no', 'no\n', 0],
  ['true && echo yes || echo no', 'yes\n', 0],
  ['printf "b\\na\\n" | sort | head -n 1', 'a\n', 0],
  ['echo one ; echo two', 'one\ntwo\n', 0],
  ["echo '$(id) `id` $HOME *'", '$(id) `id` $HOME *\n', 0],
  ['sh -c "echo out; echo err >&2" 2>&1 | wc -l', '2\n', 0],
];

describe.each(places)('a command $place', ({ place, open, mark }) => {
  const isMissing = place === 'over ssh' && !hasSshd();

  it.skipIf(isMissing)('that is cancelled ends with everything that it started', async () => {
    const bench = open();
    const control = new AbortController();
    const line = `sh -c 'trap "" TERM; (trap "" TERM HUP; sleep ${mark} & sleep ${mark}) & sleep ${mark}'`;
    const outcome = bench.run(line, { signal: control.signal }).then(
      () => 'it ended',
      (error: unknown) => error,
    );
    await untilSome(mark, 3);
    control.abort(new Error('given up'));
    expect(await outcome).toMatchObject({ message: 'given up' });
    await expectNone(mark);
  });

  it.skipIf(isMissing)('leaves what it writes in the output folder, as samples with their origin', async () => {
    const bench = open();
    const sample = bench.lay('source one.txt', 'first line\nsecond line\n');
    const line = `grep first 'source one.txt' > %OUTPUT%/found.txt && cp 'source one.txt' beside.txt`;
    const { ended, made, isShell, evidence } = await bench.run(line);
    expect({ code: ended.code, isShell }).toEqual({ code: 0, isShell: false });
    expect(evidence).toMatchObject([{ path: sample }]);
    const parent = sha256(readFileSync(sample));
    expect(made.map(({ path }) => readFileSync(path, 'utf8')).toSorted()).toEqual([
      'first line\n',
      'first line\nsecond line\n',
    ]);
    for (const { path, sha256: digest } of made) {
      expect(path.startsWith(`${bench.output}/${parent.slice(0, 16)}/`)).toBe(true);
      expect(statSync(path).mode & 0o222).toBe(0);
      expect(bench.lab.samples.originsOf(digest)).toContainEqual(
        expect.objectContaining({ parent, how: 'written by a command', path }),
      );
    }
    const again = await bench.call('get_file_info', { file: made[0]?.path ?? '' });
    expect(again.data.origins).toMatchObject([{ parent }]);
    expect(readdirSync(bench.samples)).toEqual(['source one.txt']);
  });

  it.skipIf(isMissing)('that takes its own folder away has run all the same', async () => {
    const line = `sh -c 'echo done; rmdir output "$PWD"'`;
    const { ended, made } = await open().run(line);
    expect({ stdout: ended.stdout.toString(), made }).toEqual({ stdout: 'done\n', made: [] });
  });

  it.skipIf(isMissing)('takes a sample whose name holds anything', async () => {
    const bench = open();
    const names = ['with space.txt', "quote' and $HOME `x`.txt", '-rf.txt', 'sub/deep name.txt'];
    for (const name of names) bench.lay(`names/${name}`, 'content of it\n');
    const counts = await Promise.all(
      names.map(async (name) => {
        const { ended } = await bench.run('cat | wc -c', { inputFile: `names/${name}` });
        return ended.stdout.toString().trim();
      }),
    );
    expect(counts).toEqual(names.map(() => '14'));
  });

  it.skipIf(isMissing)('is a list of pipelines, joined as a shell joins them', async () => {
    const ran = await Promise.all(
      lines.map(async ([line]) => {
        const { ended, isShell } = await open().run(line);
        return { line, stdout: ended.stdout.toString(), code: ended.code, isShell };
      }),
    );
    expect(ran).toEqual(lines.map(([line, stdout, code]) => ({ line, stdout, code, isShell: false })));
  });

  it.skipIf(isMissing)('keeps output that is too long to show, and says what it did not keep', async () => {
    const bench = open();
    const short = await bench.run('head -c 100000 /dev/zero');
    expect(short.savedOutput).toBeNull();
    const long = await bench.run(`sh -c 'yes line | head -c 300000; echo the end'`);
    expect(long.ended.droppedStdoutBytes).toBe(0);
    const saved = readFileSync(long.savedOutput ?? '', 'utf8');
    expect(saved.length).toBe(300_008);
    expect(saved.endsWith('the end\n')).toBe(true);
    const { data } = await bench.call('run_tool', { command: `sh -c 'yes line | head -c 12000000'` });
    const most = 10 * 1024 * 1024;
    expect(data).toMatchObject({
      exit_code: 0,
      truncated: true,
      stdout_bytes: 12_000_000,
      stdout_dropped_bytes: 12_000_000 - most,
    });
    expect((data.stdout as string).length).toBeLessThan(200_000);
    expect(statSync(data.stdout_saved_file as string).size).toBe(most);
  });
});

describe('a line that needs a shell', () => {
  const line = 'for one in a b; do echo "$one"; done';

  it('is refused on this machine, and run where it is allowed', async () => {
    await expect(boxed.run(line)).rejects.toMatchObject({ code: 'COMMAND_BLOCKED', hint: /--allow-shell/ });
    const bench = await openSampleLab({ allowShell: true });
    try {
      bench.lay('a.txt', 'x');
      const { ended, isShell } = await bench.run(line);
      expect({ isShell, stdout: ended.stdout.toString() }).toEqual({ isShell: true, stdout: 'a\nb\n' });
      const { made } = await bench.run('for one in a b; do echo "$one" > %OUTPUT%/"$one"; done');
      expect(made.map(({ path }) => readFileSync(path, 'utf8')).toSorted()).toEqual(['a\n', 'b\n']);
      await expect(bench.run('rm -rf "$HOME"/')).rejects.toMatchObject({ code: 'COMMAND_BLOCKED' });
    } finally {
      await bench.close();
    }
  });

  it.skipIf(!hasSshd())('is run over ssh, where a machine is made for it', async () => {
    const { ended, isShell } = await remote.run(line);
    expect({ isShell, stdout: ended.stdout.toString() }).toEqual({ isShell: true, stdout: 'a\nb\n' });
  });
});

describe('an analysis', () => {
  it('is kept, and made anew when that is asked for', async () => {
    boxed.lay('kept.exe', peSamples.pe64());
    const first = await boxed.analyse('kept.exe');
    const second = await boxed.analyse('kept.exe');
    const third = await boxed.analyse('kept.exe', { isFresh: true });
    expect([first, second, third].map(({ is_from_cache: kept }) => kept)).toEqual([false, true, false]);
    expect({ ...second, is_from_cache: false }).toEqual(first);
    expect(third.findings).toEqual(first.findings);
    boxed.lay('kept.exe', Buffer.concat([peSamples.pe64(), Buffer.from('more')]));
    expect((await boxed.analyse('kept.exe')).is_from_cache).toBe(false);
  });

  it.each(['own analysers', 'tools in boxes'])(
    'that is cancelled among %s ends at once, and leaves nothing',
    async (when) => {
      boxed.lay('large.exe', Buffer.concat([peSamples.pe64(), Buffer.alloc(12_000_000, 'abcdefgh0123')]));
      const before = new Set(findDescendants());
      const { promise: begun, resolve } = Promise.withResolvers<void>();
      const control = new AbortController();
      const running = boxed.analyse('large.exe', {
        depth: 'standard',
        isFresh: true,
        signal: control.signal,
        progress: () => resolve(),
      });
      await begun;
      for (let round = 0; round < 200 && when !== 'own analysers'; round += 1) {
        if (findDescendants().some((pid) => !before.has(pid))) break;
        await sleep(20);
      }
      expect(await endingOf(running, control)).toMatchObject({ message: 'given up' });
      const left = (): readonly number[] => findDescendants().filter((pid) => !before.has(pid));
      for (let round = 0; round < 30 && left().length > 0; round += 1) await sleep(100);
      expect(left()).toEqual([]);
      // Whatever was given up, the lab goes on.
      expect((await boxed.call('get_file_info', { file: 'large.exe' })).data.kind).toBe('pe');
    },
  );

  it.skipIf(!hasSshd())('is whole but for the tool that took its own folder away', async () => {
    const place = await openStubPlace(true, '301.504');
    const bench = await openSampleLab(overSsh(place.sshd));
    try {
      bench.lay('program.exe', peSamples.pe64());
      const report = await bench.analyse('program.exe', { depth: 'standard' });
      expect(report.tools.map(({ id }) => id)).toEqual(expect.arrayContaining(['capa', 'upx-decompress', 'pestr']));
      const told = [...report.not_run, ...report.tools].filter(({ id }) => id === 'autoit-ripper');
      expect(told).toHaveLength(1);
      expect(JSON.stringify(told)).toMatch(/removed|lost/);
      expect(report.findings.length).toBeGreaterThan(0);
    } finally {
      await bench.close();
      await place.close();
    }
  });

  it.skipIf(!hasSshd())('that is cancelled while a tool runs elsewhere ends it there', async () => {
    const mark = '301.503';
    const place = await openStubPlace(true, mark);
    const bench = await openSampleLab(overSsh(place.sshd));
    try {
      bench.lay('slow.exe', peSamples.pe64());
      const control = new AbortController();
      const running = bench.analyse('slow.exe', { signal: control.signal });
      await untilSome(mark);
      expect(await endingOf(running, control)).toMatchObject({ message: 'given up' });
      await expectNone(mark);
      const desks = await bench.lab.connector.list('/tmp', 10_000);
      const own = desks.entries.filter(({ name }) => name.startsWith('hotcell-desk-'));
      for (const { name } of own) {
        // Those of other labs of this machine may be there; none holds our sample.
        const { entries } = await bench.lab.connector.list(`/tmp/${name}`, 100).catch(() => ({ entries: [] }));
        expect(entries.map((entry) => entry.name)).not.toContain('slow.exe');
      }
    } finally {
      await bench.close();
      await place.close();
    }
  });
});

describe('a sample', () => {
  it('that is too large to hold still has a kind, hashes and a place in lists', async () => {
    const size = mostSampleBytes + 4096;
    const path = boxed.lay('huge.bin', peSamples.pe64());
    truncateSync(path, size);
    const { isError, data, error } = await boxed.call('get_file_info', { file: 'huge.bin' });
    expect({ isError, error }).toEqual({ isError: false, error: '' });
    expect(data).toMatchObject({ kind: 'pe', size_bytes: size, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await expect(boxed.analyse('huge.bin')).rejects.toThrow(/209719296|larger|at most/);
    await expect(boxed.run('wc -c huge.bin')).rejects.toThrow(/209719296|larger|at most/);
  });

  it('behind a link is taken by an open lab and not by a confined one', async () => {
    const bench = await openSampleLab({ sandbox: 'on' });
    try {
      for (const each of [boxed, bench]) symlinkSync('/etc/hostname', join(each.samples, 'link'));
      expect((await boxed.run('wc -c', { inputFile: 'link' })).ended.code).toBe(0);
      await expect(bench.run('wc -c', { inputFile: 'link' })).rejects.toThrow(/outside/);
      expect(existsSync('/etc/hostname')).toBe(true);
    } finally {
      await bench.close();
    }
  });
});
