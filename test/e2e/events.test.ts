import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventSchema } from '../../src/base/event-schema.ts';
import { sampleEvents, sensor, writeRun } from './events-sample.ts';
import { hotcell } from './hotcell.ts';

describe('hotcell events', () => {
  let root = '';
  let run = '';
  let file = '';
  const events = sampleEvents();
  const shown = events.filter(({ kind }) => kind !== 'heartbeat');

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'hotcell-events-'));
    run = join(root, 'run');
    file = writeRun(run, events, [sensor('seccomp-notify', { dropped: 3 }), sensor('wire')]);
  });

  afterAll(() => rmSync(root, { recursive: true }));

  it('the sample is what sensors may write', () => {
    for (const event of events) expect(eventSchema.safeParse(event).success).toBe(true);
  });

  it('prints one line per event, from the file or its folder, and whether that is all', () => {
    const ran = hotcell(['events', run]);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const lines = ran.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(shown.length + 1);
    expect(lines[0]).toBe('   0.000    4127  sh               install    fork     of 4100');
    expect(lines.at(-1)).toBe('NOT complete: seccomp-notify dropped 3');
    expect(ran.stdout).toContain('/tmp/odd \\x1b[31mname\\x0a.txt');
    expect(ran.stdout).not.toContain('\u001b');
    expect(hotcell(['events', 'events.ndjson'], { cwd: run }).stdout).toBe(ran.stdout);
  });

  it('knows names for addresses also where the answer comes later in the log', () => {
    const late = join(root, 'late');
    const isAnswer = ({ kind }: { kind: string }): boolean => kind === 'dns-answer';
    writeRun(late, [...events.filter((event) => !isAnswer(event)), ...events.filter(isAnswer)]);
    const { stdout } = hotcell(['events', late, '--kind', 'connect']);
    expect(stdout).toContain('connect  collect.telemetry-cdn.example:443  10.64.0.7\n');
    expect(hotcell(['events', late, '--tree']).stdout).toContain(', collect.telemetry-cdn.example:443');
    expect(stdout).toMatch(/not known whether complete: there is no completeness\.json beside the events\n$/);
  });

  const colored: readonly [string, string, RegExp][] = [
    ['decoys are red', 'bait-read', /\u001b\[31mDECOY/],
    ['leaks are bold and red', 'leak', /\u001b\[1m\u001b\[31mLEAK/],
    ['refusals are yellow', 'kernel', /\u001b\[33mkernel/],
    ['the network has a colour of its own', 'connect', /\u001b\[36mconnect/],
  ];
  it.each(colored)('%s', (_, kind, expected) => {
    expect(hotcell(['events', run, '--kind', kind, '--color', 'always']).stdout).toMatch(expected);
    expect(hotcell(['events', run, '--kind', kind], { environment: { NO_COLOR: '1' } }).stdout).not.toContain('\u001b');
  });

  const queries: readonly [readonly string[], number][] = [
    [['--kind', 'exec', '--kind', 'exit'], 10],
    [['--kind', 'exec,exit'], 10],
    [['--kind', 'heartbeat'], 1],
    [['--pid', '4142', '--kind', 'connect'], 2],
    [['--call', 'call-7'], 3],
    [['--phase', 'use', '--source', 'disk-diff'], 1],
    [['--path', '.ssh/id'], 2],
    [['--kind', 'open', '--limit', '7'], 7],
    [['--kind', 'listen'], 0],
  ];
  it.each(queries)('%j', (args, number) => {
    const ran = hotcell(['events', run, '--json', ...args]);
    expect(ran.code).toBe(0);
    const lines = ran.stdout.split('\n').slice(0, -1);
    expect(lines).toHaveLength(number);
    const original = readFileSync(file, 'utf8').split('\n');
    for (const line of lines) expect(original.map((each) => each.trim())).toContain(JSON.stringify(JSON.parse(line)));
    expect(ran.stderr).toContain('NOT complete: seccomp-notify dropped 3\n');
  });

  it('draws who started whom, with lines or with letters', () => {
    const { stdout } = hotcell(['events', run, '--tree']);
    expect(stdout).toContain("\n   └─ 4140 sh -c 'node scripts/postinstall.js'  exit 0, 104 ms\n");
    expect(stdout).toContain('DECOY /home/dev/.ssh/id_ed25519  SSH private key\n');
    expect(stdout).toContain('LEAK file .ssh/id_ed25519 (ssh-key) as base64, read by pid 4141\n');
    const plain = hotcell(['events', run, '--tree'], { environment: { LANG: 'C' } }).stdout;
    expect(plain).toContain('\n   `- 4140 sh');
    expect(plain).toMatch(/^[\x20-\x7e\n]*$/);
    const records = hotcell(['events', run, '--tree', '--json']).stdout.trimEnd().split('\n');
    expect(records.map((line) => (JSON.parse(line) as { pid: number | null }).pid)).toEqual([
      4127,
      4128,
      4140,
      4141,
      4142,
      null,
    ]);
  });

  it('says when nothing matches, and when it stopped', () => {
    expect(hotcell(['events', run, '--kind', 'listen']).stdout).toMatch(/^none of 533 events matches\n/);
    expect(hotcell(['events', run, '--limit', '1']).stdout).toContain(
      '\nstopped after 1 event, as asked for with --limit\n',
    );
  });

  it('reads a file that grows', () => {
    const growing = join(root, 'growing.ndjson');
    writeFileSync(growing, readFileSync(file));
    appendFileSync(growing, '{"seq":533,"ru');
    const ran = hotcell(['events', growing, '--kind', 'exec']);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain('\nthe last line is still being written; it is left out\n');
  });

  const refused: readonly [string, readonly string[], RegExp][] = [
    [
      'a kind',
      ['run', '--kind', 'conect'],
      /--kind "conect": expected one of fork, exec.*\n {2}did you mean connect\?/,
    ],
    ['a number', ['run', '--pid', 'x'], /--pid "x": expected a whole number/],
    ['a file that is not there', ['gone'], /cannot read events from .*gone": ENOENT/],
    ['a folder without events', ['.'], /cannot read events from .*ENOENT.*\n {2}a file events\.ndjson, or the folder/],
    ['a broken line', ['broken.ndjson'], /broken\.ndjson": line 2 is no event: nonsense\\x1b/],
    ['no file', [], /missing required argument/],
  ];
  it.each(refused)('refuses %s', (_, args, message) => {
    const [first = '', ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(join(root, 'broken.ndjson'), [first, 'nonsense\u001b', ...rest].join('\n'));
    const ran = hotcell(['events', ...args], { cwd: root });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(message);
    expect(ran.stderr).not.toContain('\u001b');
  });
});
