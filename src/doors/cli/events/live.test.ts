import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Event, type EventKind, eventKinds } from '../../../base/event-schema.ts';
import { describeTerminal, displayWidth } from '../terminal/index.ts';
import { LiveView } from './live.ts';

const terminal = describeTerminal({
  color: 'never',
  isTerminal: false,
  columns: undefined,
  environment: { LANG: 'C.UTF-8' },
});
const end = { completeness: { is: 'unknown', because: 'a test' } } as const;

interface Step {
  readonly pid?: number | undefined;
  readonly parent?: number;
  readonly kind: EventKind;
  readonly fields?: Event['fields'];
  readonly outcome?: Event['outcome'];
  readonly atMs?: number;
}

const toEvents = (steps: readonly Step[]): readonly Event[] =>
  steps.map(({ pid, parent = 1, kind, fields = {}, outcome, atMs }, seq) => ({
    seq,
    at: { monotonicNs: String((atMs ?? seq) * 1_000_000), wall: '2026-01-01T00:00:00.000Z' },
    run: 'r',
    phase: 'use',
    source: 's',
    ...(pid === undefined ? {} : { process: { pid, parent, name: { text: 'x' } } }),
    kind,
    fields,
    ...(outcome === undefined ? {} : { outcome }),
  }));

/** Without times and the lines at the end; what comes only then stands after `--`. */
function lines(steps: readonly Step[], batch = 1000): readonly string[] {
  const view = new LiveView(terminal);
  const events = toEvents(steps);
  let text = '';
  for (let at = 0; at < events.length; at += batch) text += view.show(events.slice(at, at + batch));
  const rest = view.end(end).split('\n').slice(0, -3);
  return [...text.split('\n').slice(0, -1), '--', ...rest].map((line) => (line === '--' ? line : line.slice(12)));
}

const exec = (pid: number, parent: number, word: string): Step => ({
  pid,
  parent,
  kind: 'exec',
  fields: { argv: [{ text: word }] },
});
const open = (pid: number, path: string, access = 'read', outcome?: Event['outcome']): Step => ({
  pid,
  kind: 'open',
  fields: { path: { text: path }, access },
  ...(outcome === undefined ? {} : { outcome }),
});

describe('the live view', () => {
  it('indents processes by their place in the tree, and what they did below them', () => {
    const steps: readonly Step[] = [
      exec(10, 1, 'sh'),
      { pid: 11, parent: 10, kind: 'fork' },
      exec(11, 10, 'node'),
      open(11, '/work/a', 'write'),
      { pid: 12, parent: 11, kind: 'fork' },
      { pid: 12, parent: 11, kind: 'unlink', fields: { path: { text: '/work/a' } } },
      { pid: 11, parent: 10, kind: 'exit', fields: { code: 1 } },
    ];
    expect(lines(steps)).toEqual([
      '  10  sh',
      '  11    node',
      '  11      write    /work/a',
      '  12      x (forked)',
      '  12        remove   /work/a',
      '  11      exit     1',
      '--',
    ]);
  });

  it('counts what every program reads, until its end or for a while', () => {
    const reads = Array.from({ length: 214 }, () => open(10, '/usr/lib/a'));
    const others = [open(10, '/work/node_modules/a/b'), open(10, '/work/gone', 'read', 'failed')];
    const exit: Step = { pid: 10, kind: 'exit', fields: { code: 0 } };
    expect(lines([exec(10, 1, 'sh'), ...reads, ...others, exit])).toEqual([
      '  10  sh',
      '  10    + 214 reads of system files',
      '  10    + 1 read of an installed package',
      '  10    + 1 open that failed',
      '  10    exit     0',
      '--',
    ]);
    const late = { ...open(10, '/work/a'), atMs: 5000 };
    expect(lines([exec(10, 1, 'sh'), ...reads.slice(0, 2), late])).toEqual([
      '  10  sh',
      '  10    + 2 reads of system files',
      '  10    read     /work/a',
      '--',
    ]);
    expect(lines([exec(10, 1, 'sh'), ...reads])).toEqual(['  10  sh', '--', '  10    + 214 reads of system files']);
  });

  const shownAlways: readonly [string, Step, RegExp][] = [
    ['a write into the system', open(10, '/usr/lib/a', 'write'), /write {4}\/usr\/lib\/a/],
    ['a read that was denied', open(10, '/usr/lib/a', 'read', 'denied'), /read {5}\/usr\/lib\/a {2}denied/],
    ['a word for a device', open(10, '/dev/sda', 'write'), /write {4}\/dev\/sda/],
    ['a way around', open(10, '/usr/../home/u/x'), /read {5}\/usr\/\.\.\/home/],
    ['the environment of another', open(10, '/proc/1/environ'), /read {5}\/proc\/1\/environ/],
    [
      'a decoy',
      { pid: 10, kind: 'bait-read', fields: { path: { text: '/h/.netrc' } } },
      /DECOY {4}\/h\/\.netrc {2}pass/,
    ],
    ['a refused connection', { kind: 'connection', fields: { state: 'refused', host: 'a' } }, /refused {2}a/],
  ];
  it.each(shownAlways)('always shows %s', (_, step, line) => {
    expect(lines([exec(10, 1, 'sh'), step]).join('\n')).toMatch(line);
  });

  const silent: readonly Step[] = [
    { pid: 10, kind: 'heartbeat', fields: {} },
    { kind: 'connection', fields: { state: 'open' } },
    { pid: 12, kind: 'open', fields: { path: { text: '/dev/null' }, access: 'write' } },
    { pid: 12, kind: 'connect', fields: { family: 'unix', path: { text: '/var/run/nscd/socket' } } },
    { pid: 12, kind: 'bind', fields: { family: 'netlink' } },
    { pid: 12, kind: 'exec', fields: { path: { text: '/usr/local/bin/a' } }, outcome: 'failed' },
    { kind: 'dns-answer', fields: { code: 0 } },
    { kind: 'http-response', fields: { status: 200 } },
    { kind: 'disk-change', fields: { path: { text: '/a' }, change: 'created' } },
  ];
  it.each(silent)('is silent about $kind', (step) => {
    expect(lines([exec(10, 1, 'sh'), step])).toEqual(['  10  sh', '--']);
  });

  it('keeps the place of a process for what comes after its end, and takes its number for another', () => {
    const steps: readonly Step[] = [
      exec(10, 1, 'sh'),
      exec(11, 10, 'curl'),
      { pid: 11, parent: 10, kind: 'exit', fields: { code: 0 } },
      { pid: 11, parent: 10, kind: 'tls-hello', fields: { serverName: 'a' } },
      exec(11, 1, 'ls'),
    ];
    expect(lines(steps)).toEqual([
      '  10  sh',
      '  11    curl',
      '  11      exit     0',
      '  11      tls      a',
      '  11  ls',
      '--',
    ]);
  });

  it('folds lines that repeat, in one batch or in many', () => {
    const steps = [
      exec(10, 1, 'sh'),
      ...Array<Step>(13).fill(open(10, '/work/lock', 'write')),
      open(10, '/work/b', 'write'),
    ];
    const expected = [
      '  10  sh',
      '  10    write    /work/lock',
      '  10    write    /work/lock  12 times more',
      '  10    write    /work/b',
      '--',
    ];
    expect(lines(steps)).toEqual(expected);
    expect(lines(steps, 1)).toEqual(expected);
  });

  it('folds reads in one folder after the first few, also when another process works in between', () => {
    const reads = Array.from({ length: 10 }, (_, at) => [
      open(10, `/work/src/${at}`),
      open(11, '/work/x', 'write'),
    ]).flat();
    expect(lines([exec(10, 1, 'a'), exec(11, 1, 'b'), ...reads])).toEqual([
      '  10  a',
      '  11  b',
      '  10    read     /work/src/0',
      '  11    write    /work/x',
      '  10    read     /work/src/1',
      '  10    read     /work/src/2',
      '  10    read     /work/src/3',
      '--',
      '  10    + 6 more: read in /work/src',
      '  11    write    /work/x  9 times more',
    ]);
  });

  it('says a decoy once, with names for addresses, and ties a leak to both ends', () => {
    const asked = { name: 'x.example', address: '10.0.0.1', port: 443 };
    const path = '/home/u/.ssh/id_ed25519';
    const steps: readonly Step[] = [
      exec(10, 1, 'node'),
      open(10, path),
      { pid: 10, kind: 'bait-read', fields: { path: { text: path }, decoy: '.ssh/id_ed25519', canaries: ['key-1'] } },
      { kind: 'dns-answer', fields: { questions: [{ name: 'x.example' }], code: 0, addresses: ['10.0.0.1'] } },
      { pid: 10, kind: 'connect', fields: { family: 'ipv4', address: '10.0.0.1', port: 443 } },
      {
        kind: 'leak',
        fields: { canary: 'key-1', planted: 'file .ssh/id_ed25519', encodings: ['base64'], via: 'w', asked },
      },
    ];
    expect(lines(steps)).toEqual([
      '  10  node',
      `  10    DECOY    ${path}  SSH private key`,
      '  10    connect  x.example:443  10.0.0.1',
      '  10    LEAK     .ssh/id_ed25519 as base64 via w  read by pid 10 → sent by pid 10',
      '--',
    ]);
  });

  it('ends with numbers and completeness', () => {
    const view = new LiveView(terminal);
    view.show(toEvents([exec(10, 1, 'a'), { kind: 'disk-change', fields: { change: 'created' } }]));
    expect(view.end(end)).toBe('2 events | 1 process | on disk 1 created\nnot known whether complete: a test\n');
    expect(new LiveView(terminal).end(end)).toMatch(/^0 events \| 0 processes\n/);
  });

  it('is never wider than the terminal, never steers it, and takes anything', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 150 }), fc.constant('/\u001b[2J\u202e\r/x'));
    const keys = ['path', 'from', 'to', 'call', 'address', 'canary', 'limit', 'asked', 'argv', 'questions', 'change'];
    const step = fc.record({
      pid: fc.option(fc.nat(12), { nil: undefined }),
      parent: fc.nat(12),
      kind: fc.constantFrom(...eventKinds),
      fields: fc.dictionary(fc.constantFrom(...keys), fc.oneof(anyText, fc.jsonValue())),
    });
    const deep = Array.from({ length: 50 }, (_, at) => exec(at + 20, at + 19, 'a-long-command-that-is-long'));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 50, max: 130 }), (steps, width) => {
        const colored = describeTerminal({ color: 'always', isTerminal: true, columns: width, environment: {} });
        const view = new LiveView({ ...colored, width });
        const text = view.show(toEvents([...deep, ...(steps as readonly Step[])])) + view.end(end);
        for (const line of text.split('\n')) {
          expect(displayWidth(line)).toBeLessThanOrEqual(width);
          expect(line.replaceAll(/\u001b\[\d+m/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
        }
      }),
      { numRuns: 200 },
    );
  });
});
