import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Completeness, isComplete } from '../../../src/base/event-schema.ts';
import type { Sighting } from '../../../src/engine/sensor/contract.ts';
import { gvisorTrace } from '../../../src/engine/sensor/gvisor-trace/index.ts';
import { type Ended, Lab, needGvisor } from './gvisor-sandbox.ts';

let lab: Lab;
beforeEach(async (context) => {
  await needGvisor(context);
  lab = new Lab();
});
afterEach(() => lab?.close());

interface Watched {
  readonly ends: readonly Ended[];
  readonly seen: readonly Sighting[];
  readonly batches: readonly (readonly Sighting[])[];
  readonly completeness: Completeness;
}

interface WatchOptions {
  readonly folder?: string;
  readonly delayMs?: number;
}

async function watch(
  use: (session: string) => Promise<readonly Ended[]>,
  options: WatchOptions = {},
): Promise<Watched> {
  const batches: (readonly Sighting[])[] = [];
  const sensor = await gvisorTrace.open({
    folder: options.folder ?? lab.folder,
    onSightings: async (batch) => {
      if (options.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, options.delayMs));
      batches.push(batch);
    },
  });
  const ends = await use(sensor.hooks.traceSession ?? '').finally(() => sensor.close());
  return { ends, seen: batches.flat(), batches, completeness: await sensor.close() };
}

const watchOne = (program: string, options?: WatchOptions): Promise<Watched> =>
  watch(async (session) => [await lab.run(program, session)], options);

const pathsOf = (seen: readonly Sighting[], kind: string): unknown[] =>
  seen.filter((sighting) => sighting.kind === kind).map(({ fields }) => fields.path);

const oddNames = [
  'comma,quote"and\'tick',
  'new\nline',
  'tab\tand\\backslash',
  'täter-☢',
  '[err: x]',
  ' ',
  'a'.repeat(255),
];

describe('gvisor-trace', () => {
  it('tells opens by their exact names, and one whose name is no text without it', async () => {
    const names = oddNames.map((name) => `"\\x${[...Buffer.from(name)].map((byte) => byte.toString(16)).join('\\x')}"`);
    const { seen, completeness } = await watchOne(`
      chdir '/tmp';
      open(my $f, '<', $_) for ${names.join(', ')};
      open(my $f, '>', "caf\\xe9");
      my $name = "\\xff\\xfe"; $0 = $name;
      open(my $f, '<', "/tmp/after");
    `);
    const opened = pathsOf(seen, 'open');
    for (const name of oddNames) expect(opened).toContainEqual({ text: `/tmp/${name}` });
    const nameless = seen.filter(({ kind, fields }) => kind === 'open' && fields.path === undefined);
    expect(nameless).toMatchObject([{ fields: { access: 'write', creates: true }, truncated: ['path'] }]);
    // A process that calls itself something that is no text is watched as before.
    expect(opened.at(-1)).toEqual({ text: '/tmp/after' });
    expect(completeness).toMatchObject({ truncated: 1, dropped: 0, attachedBeforeExec: true, missingPoints: [] });
    expect(isComplete(completeness)).toBe(true);
  });

  it('tells processes with their parents, arguments and ends', async () => {
    const { ends, seen } = await watchOne(`
      system('/usr/bin/true', 'one two', "three\\n,\\"", 'x' x 100000);
      system('/nowhere/program', 'arg');
      my $child = fork();
      if (!$child) { my $grandchild = fork(); exit 4 if !$grandchild; waitpid $grandchild, 0; kill 9, $$; sleep 9 }
      waitpid $child, 0;
      exit 3;
    `);
    expect(ends[0]?.code).toBe(3);
    const tree = seen
      .filter(({ kind }) => kind === 'fork' || kind === 'exit')
      .map(({ kind, process, fields }) => [kind, process?.pid, process?.parent, fields]);
    expect(tree).toEqual([
      ['fork', 2, 1, {}],
      ['exit', 2, 1, { code: 0 }],
      ['fork', 3, 1, {}],
      ['exit', 3, 1, { code: 255 }],
      ['fork', 4, 1, {}],
      ['fork', 5, 4, {}],
      ['exit', 5, 4, { code: 4 }],
      ['exit', 4, 1, { signal: 9 }],
      ['exit', 1, 0, { code: 3 }],
    ]);
    const execs = seen.filter(({ kind }) => kind === 'exec');
    expect(execs.map(({ process, outcome, fields }) => [process?.pid, process?.name, outcome, fields.path])).toEqual([
      [1, { text: 'perl' }, 'ok', { text: '/usr/bin/perl' }],
      [2, { text: 'true' }, 'ok', { text: '/usr/bin/true' }],
      [3, { text: 'perl' }, 'failed', { text: '/nowhere/program' }],
    ]);
    const argv = ['/usr/bin/true', 'one two', 'three\n,"', 'x'.repeat(100_000)].map((text) => ({ text }));
    expect(execs[1]?.fields).toEqual({ path: { text: '/usr/bin/true' }, argv, cwd: { text: '/work' } });
    expect(execs[1]?.truncated).toBeUndefined();
  });

  it('tells connects, also one that never ends, and recognises a heartbeat', async () => {
    const nonce = '0123456789abcdef'.repeat(2);
    const { seen, completeness } = await watchOne(`
      use Socket;
      my $number = (POSIX::uname())[4] eq 'aarch64' ? 203 : 42 if require POSIX;
      open(my $f, '<', '/hotcell-heartbeat-${nonce}-70000');
      my $address = pack_sockaddr_in(1 + 70000 % 65535, inet_aton('127.0.0.1'));
      syscall($number, -1, $address, length $address);
      socket(my $s, AF_INET, SOCK_STREAM, 0); connect($s, pack_sockaddr_in(9, inet_aton('127.0.0.1')));
      socket(my $u, AF_UNIX, SOCK_STREAM, 0); connect($u, pack_sockaddr_un('/tmp/no socket'));
      my $full = pack_sockaddr_in(7777, inet_aton('127.0.0.1'));
      socket(my $l, AF_INET, SOCK_STREAM, 0); bind($l, $full); listen($l, 1);
      $SIG{ALRM} = sub { kill 9, $$ }; alarm 2;
      for (1 .. 20) { socket(my $c, AF_INET, SOCK_STREAM, 0); connect($c, $full); push @kept, $c }
    `);
    expect(seen.filter(({ kind }) => kind === 'heartbeat').map(({ fields }) => fields)).toEqual([
      { nonce, number: 70_000, of: 'open' },
      { nonce, number: 70_000, of: 'connect' },
    ]);
    expect(completeness.heartbeats).toEqual({ expected: 0, seen: 1 });
    const connects = seen.filter(({ kind }) => kind === 'connect');
    expect(connects.slice(0, 2)).toMatchObject([
      { fields: { family: 'ipv4', address: '127.0.0.1', port: 9 }, outcome: 'failed' },
      { fields: { family: 'unix', path: { text: '/tmp/no socket' } }, outcome: 'failed' },
    ]);
    expect(connects.at(-1)).toMatchObject({ fields: { port: 7777 }, outcome: 'unknown' });
    const [bound, listening] = ['bind', 'listen'].map((wanted) => seen.find(({ kind }) => kind === wanted));
    expect([bound?.fields.port, listening?.fields]).toEqual([7777, { backlog: 1 }]);
  });

  it('tells changes by their kind and outcome', async () => {
    const { seen } = await watchOne(`
      chdir '/tmp';
      mkdir 'folder', 0700; open(my $f, '>', 'file'); close $f; chmod 0640, 'file'; chown 1, 2, 'file';
      link 'file', 'second'; symlink 'file', 'third'; rename 'second', 'fourth'; rename 'nothing', 'x';
      unlink 'fourth'; rmdir 'folder'; mkdir '/usr/folder', 0755;
    `);
    const changes = ['mkdir', 'chmod', 'link', 'rename', 'unlink'];
    const told = seen
      .filter(({ kind }) => changes.includes(kind))
      .map(({ kind, fields: { call: _, ...fields }, outcome }) => [kind, fields, outcome]);
    expect(told).toEqual([
      ['mkdir', { mode: 0o700 }, 'ok'],
      ['chmod', { mode: 0o640 }, 'ok'],
      ['chmod', { uid: 1, gid: 2 }, 'denied'],
      ['link', { isSymbolic: false }, 'ok'],
      ['link', { isSymbolic: true }, 'ok'],
      ['rename', {}, 'ok'],
      ['rename', {}, 'failed'],
      ['unlink', { isFolder: false }, 'ok'],
      ['unlink', { isFolder: true }, 'ok'],
      ['mkdir', { mode: 0o755 }, expect.stringMatching(/denied|failed/)],
    ]);
  });

  it('loses nothing to a slow reader, from three sandboxes at once', async () => {
    const program = `for my $i (1 .. 4000) { open(my $f, '<', "/none/$i") } for (1 .. 20) { system('/usr/bin/true') }`;
    const three = [1, 2, 3].map(() => program);
    const { ends, seen, batches, completeness } = await watch(
      (session) => Promise.all(three.map((each) => lab.run(each, session))),
      { delayMs: 2 },
    );
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    const opened = seen.flatMap(({ kind, fields }) => (kind === 'open' ? [JSON.stringify(fields.path)] : []));
    const counts = new Map<string, number>();
    for (const path of opened) counts.set(path, (counts.get(path) ?? 0) + 1);
    const expected = Array.from({ length: 4000 }, (_, index) => JSON.stringify({ text: `/none/${index + 1}` }));
    expect(expected.filter((path) => counts.get(path) !== 3)).toEqual([]);
    expect(seen.filter(({ kind }) => kind === 'exec')).toHaveLength(3 * 21);
    expect(seen.filter(({ kind }) => kind === 'exit')).toHaveLength(3 * 21);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(512 + 8);
    expect(completeness).toMatchObject({ dropped: 0, truncated: 0, attachedBeforeExec: true });
    expect(isComplete(completeness)).toBe(true);
  });

  it('gives times on the clock of this process', async () => {
    const before = process.hrtime.bigint();
    const { seen } = await watchOne('exit 0');
    const after = process.hrtime.bigint();
    const times = seen.map(({ at }) => BigInt(at.monotonicNs));
    expect(times.every((time) => time >= before && time <= after)).toBe(true);
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  });

  it('works from a folder whose path is too long for a socket, and leaves nothing behind', async () => {
    const folder = join(lab.folder, 'long'.repeat(30));
    mkdirSync(folder, { mode: 0o700 });
    const { completeness } = await watchOne('exit 0', { folder });
    expect(isComplete(completeness)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not complete when nothing ran, or when its reader fails', async () => {
    const nothing = await watch(async () => []);
    expect(isComplete(nothing.completeness)).toBe(false);
    const sensor = await gvisorTrace.open({
      folder: lab.folder,
      onSightings: () => Promise.reject(new Error('the disk is full')),
    });
    await lab.run('exit 0', sensor.hooks.traceSession ?? '');
    expect(isComplete(await sensor.close())).toBe(false);
  });

  it('counts what it cannot read, and what was never sent', async () => {
    const speak = `
      use Socket; use JSON::PP;
      open(my $f, '<', $ARGV[0]); my $session = decode_json(join '', <$f>);
      my $path = $session->{trace_session}{sinks}[0]{config}{endpoint};
      socket(my $s, AF_UNIX, SOCK_SEQPACKET, 0) or die; connect($s, pack_sockaddr_un($path)) or die;
      send($s, "\\x08\\x01", 0); recv($s, my $answer, 100, 0); print unpack('H*', $answer);
      send($s, $_, 0) for 'x', 'nonsense', pack('vvV', 8, 7, 0) . "\\xff" x 20, pack('vvV', 8, 7, 5) . "\\x0a\\x00";
      send($s, pack('vvV', 8, 6, 7) . "\\x0a\\x04\\x10\\x01\\x20\\x01\\x20\\x57", 0);
      send($s, "\\x00" x 150000, 0);
    `;
    const { ends, seen, completeness } = await watch(async (session) => [await lab.runOutside(speak, session)]);
    expect(ends).toEqual([{ code: 0, output: '0801' }]);
    expect(seen).toMatchObject([{ kind: 'unlink', outcome: 'unknown' }]);
    expect(completeness).toMatchObject({ received: 6, dropped: 7 + 5, attachedBeforeExec: false });
  });
});
