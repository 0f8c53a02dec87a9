import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Completeness, UntrustedJson } from '../../../src/base/event-schema.ts';
import { isComplete } from '../../../src/base/event-schema.ts';
import type { Sighting, SightingSink } from '../../../src/engine/sensor/contract.ts';
import { seccompNotify } from '../../../src/engine/sensor/seccomp-notify/index.ts';
import { nonce, type RunResult, runNotified } from './notified-program.ts';

/** The sensor with real programs under its filter, and no box around them. */

const nobody = 65_534;
const perl = '/usr/bin/perl';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-notify-'));
  chownSync(folder, nobody, nobody);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Watched {
  readonly sightings: readonly Sighting[];
  readonly completeness: Completeness;
  readonly runs: readonly RunResult[];
}

async function watch(programs: readonly (readonly string[])[], slowDown?: SightingSink): Promise<Watched> {
  const sightings: Sighting[] = [];
  const sensor = await seccompNotify.open({
    folder,
    onSightings: async (batch) => {
      await slowDown?.(batch);
      sightings.push(...batch);
    },
  });
  const runs = await Promise.all(programs.map((argv) => runNotified(sensor.hooks, argv, { cwd: folder })));
  return { sightings, completeness: await sensor.close(), runs };
}

function watchPerl(script: string, ...argv: string[]): Promise<Watched> {
  return watch([[perl, '-e', script, '--', ...argv]]);
}

function bytesOf(field: unknown): string {
  const value = field as UntrustedJson | undefined;
  if (value === undefined) return '';
  return 'text' in value
    ? Buffer.from(value.text).toString('latin1')
    : Buffer.from(value.base64, 'base64').toString('latin1');
}

/** What happened in the work folder, or to it, in order. */
function inFolder(sightings: readonly Sighting[]): string[] {
  return sightings.flatMap(({ kind, fields }) => {
    const paths = ['path', 'from', 'to'].filter((name) => name in fields).map((name) => bytesOf(fields[name]));
    return paths.some((path) => path.startsWith(`${folder}/`))
      ? [[kind, ...paths.map((path) => path.replace(`${folder}/`, ''))].join(' ')]
      : [];
  });
}

const ofKind = (sightings: readonly Sighting[], kind: string): Sighting[] =>
  sightings.filter((sighting) => sighting.kind === kind);

describe('files', () => {
  it('reports every call on them, with any name, in order', async () => {
    const odd = ['a,b', 'it\'s "quoted"', 'new\nline', '\xff\xfe not text', ' ', '-rf', '\xe2\x82\xac'];
    const script = `
      binmode STDOUT;
      for my $name (map { pack('H*', $_) } @ARGV) { open(my $f, '>', "./$name") or die; close $f; }
      mkdir('folder', 0750); rename('a,b', 'folder/moved'); link('folder/moved', 'hard'); symlink('../x', 'soft');
      chmod(0600, 'hard'); chown(-1, -1, 'hard'); opendir(my $d, 'folder'); closedir $d;
      unlink('hard', 'soft', 'folder/moved'); rmdir('folder');`;
    const { sightings, completeness, runs } = await watchPerl(
      script,
      ...odd.map((name) => Buffer.from(name, 'latin1').toString('hex')),
    );
    expect(runs[0]).toMatchObject({ code: 0, stderr: '' });
    expect(inFolder(sightings)).toEqual([
      ...odd.map((name) => `open ${name}`),
      'mkdir folder',
      'rename a,b folder/moved',
      'link folder/moved hard',
      'link ../x soft',
      'chmod hard',
      'chmod hard',
      'open folder',
      'unlink hard',
      'unlink soft',
      'unlink folder/moved',
      'unlink folder',
    ]);
    const [folderOpen] = sightings.filter(
      ({ fields }) => bytesOf(fields.path) === `${folder}/folder` && 'access' in fields,
    );
    expect(folderOpen?.fields).toMatchObject({ isFolder: true, access: 'read', creates: false });
    expect(ofKind(sightings, 'chmod').map(({ fields }) => fields)).toMatchObject([
      { mode: 0o600 },
      { uid: -1, gid: -1 },
    ]);
    expect(isComplete(completeness)).toBe(true);
    expect(completeness).toMatchObject({ received: sightings.length, dropped: 0, heartbeats: { seen: 1 } });
  });

  it('keeps a path of 4,095 bytes whole and cuts a longer one', async () => {
    const long = `/${'d/'.repeat(2047)}`;
    const script = "open(my $f, '<', '/' . 'd/' x 2047); open(my $g, '<', 'e' x 5000);";
    const { sightings } = await watchPerl(script);
    const [whole, cut] = ofKind(sightings, 'open').slice(-2);
    expect(bytesOf(whole?.fields.path)).toBe(long);
    expect(whole?.truncated).toBeUndefined();
    expect(cut).toMatchObject({ truncated: ['path'] });
  });

  it('marks what cannot be read', async () => {
    const number = process.arch === 'x64' ? 257 : 56;
    const { sightings, completeness } = await watchPerl(`syscall(${number}, -100, 4096, 0, 0);`);
    expect(ofKind(sightings, 'open').at(-1)).toMatchObject({ truncated: ['path'], fields: { path: { text: '' } } });
    expect(completeness.truncated).toBe(1);
  });
});

describe('programs', () => {
  it('has the arguments, however long, and the outcome', async () => {
    const large = 'x'.repeat(100_000);
    const script = "exec { '/nonexistent' } 'no'; exec { '/bin/echo' } 'echo', @ARGV;";
    const { sightings } = await watchPerl(script, large, 'ü,"', '');
    const execs = ofKind(sightings, 'exec').slice(1);
    expect(execs.map(({ fields, outcome }) => [bytesOf(fields.path), outcome])).toEqual([
      ['/nonexistent', 'failed'],
      ['/bin/echo', 'ok'],
    ]);
    expect(execs[0]?.process?.name).toEqual({ text: 'perl' });
    expect(execs[1]?.process?.name).toEqual({ text: 'echo' });
    const argv = execs[1]?.fields.argv as UntrustedJson[];
    expect(argv).toEqual([{ text: 'echo' }, { text: large }, { text: 'ü,"' }, { text: '' }]);
    const [pid] = new Set(execs.map(({ process }) => process?.pid));
    const after = sightings.filter(({ process }) => process?.pid === pid).map(({ kind }) => kind);
    expect(after.indexOf('exec')).toBe(1);
    expect(after.at(-1)).toBe('exit');
  });

  it('marks arguments that are too many', async () => {
    const { sightings } = await watchPerl("exec { '/bin/true' } 'true', ('y') x 6000;");
    const exec = ofKind(sightings, 'exec').at(-1);
    expect(exec).toMatchObject({ truncated: ['argv'], outcome: 'ok' });
    expect(exec?.fields.argv).toHaveLength(4096);
  });

  it.each([
    ['exit 3', { code: 3 }],
    ["kill 'TERM', $$; sleep 5", { signal: 'SIGTERM' }],
    [`syscall(${process.arch === 'x64' ? 60 : 93}, 7)`, { code: 7 }],
  ])('tells how %j ended', async (script, end) => {
    const { sightings, runs } = await watchPerl(script);
    const exits = ofKind(sightings, 'exit').filter(({ process }) => process?.parent === runs[0]?.launcher);
    expect(exits.map(({ fields }) => fields)).toEqual([end]);
  });

  it('settles the outcome of a program that does nothing more', async () => {
    const sightings: Sighting[] = [];
    const sensor = await seccompNotify.open({ folder, onSightings: (batch) => void sightings.push(...batch) });
    const running = runNotified(sensor.hooks, ['/bin/sleep', '5']);
    await expect.poll(() => ofKind(sightings, 'exec').length, { timeout: 4500 }).toBe(1);
    expect(ofKind(sightings, 'exit')).toHaveLength(0);
    await running;
    await sensor.close();
    expect(ofKind(sightings, 'exit')).toHaveLength(2);
  });
});

describe('the tree of processes', () => {
  /** Every process by what it opened, with its ancestors up to the launcher. */
  function lines(sightings: readonly Sighting[], launcher: number): string[] {
    const parents = new Map(ofKind(sightings, 'fork').map(({ process }) => [process?.pid ?? 0, process?.parent ?? 0]));
    const names = new Map(
      ofKind(sightings, 'open').flatMap(({ process, fields }) => {
        const mark = /^\/mark-(.*)$/.exec(bytesOf(fields.path))?.[1];
        return mark === undefined ? [] : [[process?.pid ?? 0, mark] as const];
      }),
    );
    return [...names].map(([pid, name]) => {
      const line = [name];
      for (let at = parents.get(pid) ?? 0; at !== launcher && line.length < 9; at = parents.get(at) ?? launcher) {
        line.unshift(names.get(at) ?? '?');
      }
      return line.join('>');
    });
  }

  const mark = 'sub mark { open(my $f, \'<\', "/mark-$_[0]"); }';

  it('is right for forks, silent parents and orphans', async () => {
    const script = `${mark} mark('a');
      if (!fork) { mark('b'); if (!fork) { mark('c'); exit } wait; exit } wait;
      if (!fork) { if (!fork) { mark('grandchild'); exit } wait; exit } wait;
      pipe(my $read, my $write);
      if (!fork) { if (!fork) { close $write; sysread($read, my $x, 1); mark('orphan'); exit } exit } wait;
      close $read; close $write;`;
    const { sightings, runs } = await watchPerl(script);
    expect(lines(sightings, runs[0]?.launcher ?? 0).toSorted()).toEqual(
      ['a', 'a>b', 'a>b>c', 'a>?>grandchild', 'a>?>orphan'].toSorted(),
    );
    const pids = ofKind(sightings, 'fork').map(({ process }) => process?.pid);
    expect(new Set(pids).size).toBe(pids.length);
    expect(
      ofKind(sightings, 'exit')
        .map(({ process }) => process?.pid)
        .toSorted(),
    ).toEqual(pids.toSorted());
  });

  it('does not take threads for processes', async () => {
    const script = `use threads; my @t = map { my $n = $_; threads->create(sub {
      open(my $f, '<', "/mark-thread-$n-$_") for 1..50; }) } 1..4; $_->join for @t;`;
    const { sightings } = await watchPerl(script);
    const opens = ofKind(sightings, 'open').filter(({ fields }) => bytesOf(fields.path).startsWith('/mark-thread'));
    expect(opens).toHaveLength(200);
    expect(new Set(opens.map(({ process }) => process?.pid)).size).toBe(1);
    expect(ofKind(sightings, 'fork')).toHaveLength(2);
    for (const thread of [1, 2, 3, 4]) {
      const own = opens
        .map(({ fields }) => bytesOf(fields.path))
        .filter((path) => path.startsWith(`/mark-thread-${thread}-`));
      expect(own).toEqual(Array.from({ length: 50 }, (_, at) => `/mark-thread-${thread}-${at + 1}`));
    }
  });

  it('keeps the programs of one sensor apart', async () => {
    const script = "open(my $f, '<', '/mark-' . $ARGV[0] . \"-$_\") for 1..200;";
    const names = ['x', 'y', 'z'];
    const { sightings, runs, completeness } = await watch(names.map((name) => [perl, '-e', script, '--', name]));
    for (const [at, name] of names.entries()) {
      const opens = ofKind(sightings, 'open').filter(({ fields }) => bytesOf(fields.path).startsWith(`/mark-${name}-`));
      expect(opens).toHaveLength(200);
      expect(new Set(opens.map(({ process }) => process?.parent))).toEqual(new Set([runs[at]?.launcher]));
    }
    expect(completeness.heartbeats.seen).toBe(3);
  });
});

it('reports what goes to the network, and only with an address', async () => {
  const script = `
    my $there = pack('S n C4 x8', 2, 9, 127, 0, 0, 1);
    socket(my $udp, 2, 2, 0); bind($udp, pack('S n C4 x8', 2, 0, 127, 0, 0, 1));
    send($udp, 'x', 0, $there); connect($udp, $there); send($udp, 'y', 0);
    socket(my $tcp, 2, 1, 0); listen($tcp, 5); socket(my $unix, 1, 1, 0); connect($unix, pack('S a*', 1, "\\0abstract"));`;
  const { sightings } = await watchPerl(script);
  const kinds = ['bind', 'send-to', 'connect', 'listen'];
  expect(sightings.filter(({ kind }) => kinds.includes(kind)).map(({ kind, fields }) => [kind, fields])).toEqual([
    ['bind', { family: 'ipv4', address: '127.0.0.1', port: 0 }],
    ['send-to', { family: 'ipv4', address: '127.0.0.1', port: 9 }],
    ['connect', { family: 'ipv4', address: '127.0.0.1', port: 9 }],
    ['listen', { backlog: 5 }],
    ['connect', { family: 'unix', path: { text: '\0abstract' } }],
  ]);
});

it('sees the heartbeat of the launcher before the program', async () => {
  const { sightings } = await watchPerl('1;');
  const [first, second, third] = sightings;
  expect(first?.kind).toBe('fork');
  expect([second?.fields, third?.fields]).toEqual([
    { nonce, number: 7, of: 'open' },
    { nonce, number: 7, of: 'connect' },
  ]);
});

describe('completeness', () => {
  it('loses nothing to a slow reader', async () => {
    const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
    const script = 'for my $n (1..20000) { sysopen(my $f, "/storm-$n", 0); }';
    const { sightings, completeness } = await watch([[perl, '-e', script]], slow);
    const storm = sightings.map(({ fields }) => bytesOf(fields.path)).filter((path) => path.startsWith('/storm-'));
    expect(storm).toEqual(Array.from({ length: 20_000 }, (_, at) => `/storm-${at + 1}`));
    expect(isComplete(completeness)).toBe(true);
  });

  it('says that nothing was attached when nothing was', async () => {
    const sensor = await seccompNotify.open({ folder, onSightings: () => undefined });
    const completeness = await sensor.close();
    expect(completeness.attachedBeforeExec).toBe(false);
    expect(isComplete(completeness)).toBe(false);
  });

  it('fails at the end when its reader fails, and the program is not held up by it', async () => {
    const failing = (): never => {
      throw new Error('the disk is full');
    };
    await expect(watch([[perl, '-e', '1;']], failing)).rejects.toThrow('the disk is full');
  });

  it('leaves nobody waiting when its thread dies, and says so', async () => {
    const sensor = await seccompNotify.open({ folder, onSightings: () => undefined });
    const script = "select(undef, undef, undef, 3); open(my $f, '<', '/etc/hostname') or syswrite(STDOUT, 'none');";
    const running = runNotified(sensor.hooks, [perl, '-e', script]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const noDescriptor = 1_000_000;
    await sensor.hooks.takeListener?.(noDescriptor, 0).catch(() => undefined);
    expect((await running).stdout).toBe('none');
    const completeness = await sensor.close();
    expect(completeness.diedAt).toBeDefined();
    expect(isComplete(completeness)).toBe(false);
  });

  it('takes no listener after its end', async () => {
    const sensor = await seccompNotify.open({ folder, onSightings: () => undefined });
    await sensor.close();
    await expect(runNotified(sensor.hooks, ['/bin/true'], { timeoutMs: 2000 })).rejects.toThrow('has ended');
  });
});
