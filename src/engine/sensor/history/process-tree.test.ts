import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Event, type EventKind, eventKinds } from '../../../base/event-schema.ts';
import { ProcessTree, walkTree } from './process-tree.ts';

interface Step {
  readonly pid?: number;
  readonly parent?: number;
  readonly kind: EventKind;
  readonly fields?: Event['fields'];
  readonly outcome?: Event['outcome'];
}

function makeEvent({ pid, parent = 1, kind, fields = {}, outcome }: Step, seq: number): Event {
  return {
    seq,
    at: { monotonicNs: String(1000 + seq), wall: '2026-01-01T00:00:00.000Z' },
    run: 'r',
    phase: 'use',
    source: 's',
    ...(pid === undefined ? {} : { process: { pid, parent, name: { text: `p${pid}` } } }),
    kind,
    fields,
    ...(outcome === undefined ? {} : { outcome }),
  };
}

function build(steps: readonly Step[], wants: (event: Event) => boolean = () => true): ProcessTree {
  const tree = new ProcessTree({ wants });
  for (const [seq, step] of steps.entries()) tree.add(makeEvent(step, seq));
  return tree;
}

const shape = (tree: ProcessTree): readonly string[] =>
  [...walkTree(tree.roots())].map(({ node, depth }) => `${' '.repeat(depth)}${node.pid}`);

const did = (tree: ProcessTree, pid: number) => {
  const found = [...walkTree(tree.roots())].find(({ node }) => node.pid === pid)?.node;
  return (found?.deeds ?? tree.loose).list().map(({ group, count, names }) => [group, count, ...names.keys()]);
};

const open = (pid: number, path: string, access = 'read'): Step => ({
  pid,
  kind: 'open',
  fields: { path: { text: path }, access },
});

describe('the shape of a process tree', () => {
  it.each<{ what: string; steps: readonly Step[]; expected: readonly string[] }>([
    { what: 'nothing', steps: [], expected: [] },
    {
      what: 'children below their parents, in order of birth',
      steps: [
        { pid: 10, kind: 'exec' },
        { pid: 11, parent: 10, kind: 'fork' },
        { pid: 12, parent: 10, kind: 'fork' },
        { pid: 13, parent: 11, kind: 'fork' },
      ],
      expected: ['10', ' 11', '  13', ' 12'],
    },
    {
      what: 'a parent that is seen after its child',
      steps: [
        { pid: 11, parent: 10, kind: 'exec' },
        { pid: 10, parent: 1, kind: 'exec' },
      ],
      expected: ['10', ' 11'],
    },
    {
      what: 'brothers whose parent is never seen',
      steps: [
        { pid: 11, parent: 10, kind: 'exec' },
        { pid: 12, parent: 10, kind: 'exec' },
      ],
      expected: ['11', '12'],
    },
    {
      what: 'a number that is used again',
      steps: [
        { pid: 10, kind: 'exec' },
        { pid: 11, parent: 10, kind: 'fork' },
        { pid: 11, parent: 10, kind: 'exit', fields: { code: 0 } },
        { pid: 11, parent: 10, kind: 'fork' },
      ],
      expected: ['10', ' 11', ' 11'],
    },
    {
      what: 'a circle',
      steps: [
        { pid: 10, parent: 11, kind: 'exec' },
        { pid: 11, parent: 10, kind: 'exec' },
        { pid: 12, parent: 12, kind: 'exec' },
      ],
      expected: ['11', ' 10', '12'],
    },
  ])('$what', ({ steps, expected }) => {
    expect(shape(build(steps))).toEqual(expected);
  });

  it('has every process once, whatever the log says', () => {
    const step = fc.record({
      pid: fc.option(fc.nat(9), { nil: undefined }),
      parent: fc.nat(9),
      kind: fc.constantFrom(...eventKinds),
      fields: fc.dictionary(fc.constantFrom('path', 'argv', 'code', 'address', 'asked', 'canary'), fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const tree = build(steps as readonly Step[]);
        const placed = [...walkTree(tree.roots())].map(({ node }) => node);
        expect(new Set(placed).size).toBe(placed.length);
        const pids = new Set(placed.map(({ pid }) => pid));
        for (const { pid } of steps) if (pid !== undefined) expect(pids.has(pid)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('survives a chain of forks that is as deep as it gets, and more processes than it keeps', () => {
    const steps = Array.from({ length: 21_000 }, (_, at): Step => ({ pid: at + 2, parent: at + 1, kind: 'fork' }));
    const tree = build(steps);
    const placed = [...walkTree(tree.roots())];
    expect(placed.at(-1)?.depth).toBeGreaterThan(19_000);
    expect(placed.at(-1)?.followers.length).toBeLessThanOrEqual(64);
    expect(placed.length + tree.missingProcesses).toBe(21_000);
  });
});

describe('what processes did', () => {
  it('is grouped and counted', () => {
    const tree = build([
      open(10, '/work/a'),
      open(10, '/work/a'),
      open(10, '/work/b', 'write'),
      open(10, '/usr/lib/x.so'),
      open(10, '/usr/../home/u/key'),
      { ...open(10, '/work/none'), outcome: 'failed' },
      { ...open(10, '/root/x', 'write'), outcome: 'denied' },
      { pid: 10, kind: 'kernel', fields: { call: 'unshare' }, outcome: 'denied' },
      { pid: 10, kind: 'bait-read', fields: { path: { text: '/home/u/.netrc' } } },
    ]);
    expect(did(tree, 10)).toEqual([
      ['decoys', 1, '/home/u/.netrc'],
      ['denied', 2, 'write /root/x', 'kernel unshare'],
      ['written', 1, '/work/b'],
      ['read', 3, '/work/a', '/usr/../home/u/key'],
      ['system', 1],
      ['missing', 1],
    ]);
  });

  it('is not what every program asks, and no program that did not run', () => {
    const tree = build([
      { pid: 10, kind: 'exec', fields: { path: { text: '/a/sh' } }, outcome: 'failed' },
      { pid: 10, kind: 'exec', fields: { path: { text: '/b/sh' } }, outcome: 'ok' },
      open(10, '/dev/null', 'write'),
      { pid: 10, kind: 'connect', fields: { family: 'unix', path: { text: '/run/nscd/socket' } } },
    ]);
    expect(did(tree, 10)).toEqual([
      ['system', 2],
      ['missing', 1],
    ]);
    expect(tree.roots()[0]?.programs).toEqual(['/b/sh']);
  });

  it('keeps a few names and counts the rest', () => {
    const tree = build(Array.from({ length: 1000 }, (_, at) => open(10, `/work/${at}`)));
    const [read] = [...walkTree(tree.roots())][0]?.node.deeds.list() ?? [];
    expect(read).toMatchObject({ count: 1000, unnamed: 936 });
    expect(read?.names.size).toBe(64);
  });

  it('ties the wire to the only process that spoke to that address, with its name', () => {
    const asked = { name: 'x.example', address: '10.0.0.1', port: 443 };
    const speak = (pid: number): Step => ({ pid, kind: 'connect', fields: { address: '10.0.0.1', port: 443 } });
    const wire: Step = { kind: 'tls-hello', fields: { asked, serverName: 'x.example' } };
    const answer: Step = {
      kind: 'dns-answer',
      fields: { questions: [{ name: 'x.example' }], addresses: ['10.0.0.1'] },
    };
    expect(did(build([answer, speak(10), wire]), 10)).toEqual([['network', 2, 'x.example:443', 'tls x.example']]);
    const shared = build([speak(10), speak(11), wire]);
    expect(shared.loose.list()).toMatchObject([{ group: 'network', count: 1 }]);
  });

  it('ties a leak to who read and who sent it', () => {
    const asked = { name: null, address: '10.0.0.1', port: 80 };
    const tree = build([
      { pid: 10, kind: 'bait-read', fields: { path: { text: '/home/u/.ssh/id_ed25519' } } },
      { pid: 11, parent: 10, kind: 'connect', fields: { address: '10.0.0.1', port: 80 } },
      { kind: 'leak', fields: { canary: 'file .ssh/id_ed25519', encoding: ['hex', 'gzip'], asked } },
    ]);
    expect(did(tree, 11)[0]).toEqual(['leaked', 1, 'file .ssh/id_ed25519 as hex of gzip, read by pid 10']);
  });

  it('counts only what is wanted, and leaves branches out that lead nowhere', () => {
    const steps: readonly Step[] = [
      { pid: 10, kind: 'exec' },
      { pid: 11, parent: 10, kind: 'exec' },
      { pid: 12, parent: 10, kind: 'exec' },
      open(12, '/work/a'),
    ];
    const tree = build(steps, ({ kind }) => kind === 'open');
    expect(shape(tree)).toEqual(['10', ' 12']);
    expect(did(tree, 12)).toEqual([['read', 1, '/work/a']]);
  });
});
