import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Event, type EventKind, eventKinds } from '../../../base/event-schema.ts';
import { ProcessTree } from '../../../engine/sensor/history/index.ts';
import { describeTerminal, displayWidth, type Terminal } from '../terminal/index.ts';
import { treeLines } from './render-tree.ts';
import { treeRecords } from './tree-records.ts';

const facts = { color: 'never', isTerminal: false, columns: undefined } as const;
const drawn = describeTerminal({ ...facts, environment: { LANG: 'C.UTF-8' } });
const plain = describeTerminal({ ...facts, environment: {} });

interface Step {
  readonly pid?: number | undefined;
  readonly parent?: number;
  readonly kind: EventKind;
  readonly fields: Event['fields'];
}

function build(steps: readonly Step[]): ProcessTree {
  const tree = new ProcessTree({ wants: () => true });
  for (const [seq, { pid, parent = 1, kind, fields }] of steps.entries())
    tree.add({
      seq,
      at: { monotonicNs: String(seq * 1_000_000), wall: '2026-01-01T00:00:00.000Z' },
      run: 'r',
      phase: 'use',
      source: 's',
      ...(pid === undefined ? {} : { process: { pid, parent, name: { text: 'x' } } }),
      kind,
      fields,
    });
  return tree;
}

const render = (tree: ProcessTree, terminal: Terminal, limit: number | null = null): string =>
  [...treeLines(tree, terminal, limit)].join('');

const exec = (pid: number, parent: number, ...argv: readonly string[]): Step => ({
  pid,
  parent,
  kind: 'exec',
  fields: { argv: argv.map((text) => ({ text })) },
});
const read = (pid: number, path: string): Step => ({
  pid,
  kind: 'open',
  fields: { path: { text: path }, access: 'read' },
});

const story: readonly Step[] = [
  exec(10, 1, 'sh'),
  read(10, '/usr/lib/a'),
  read(10, '/work/a'),
  read(10, '/work/a'),
  exec(11, 10, 'node', 'a b.js'),
  { pid: 11, kind: 'bait-read', fields: { path: { text: '/h/.npmrc' } } },
  { pid: 11, kind: 'exit', fields: { code: 0 } },
  exec(12, 10, 'sh'),
  exec(12, 10, 'ls'),
  { kind: 'limit-hit', fields: { limit: 'wallMs' } },
];

describe('a process tree', () => {
  it('is drawn with lines', () => {
    expect(render(build(story), drawn)).toBe(
      [
        '10 sh  no end seen',
        '│  read 2: /work/a ×2',
        '│  1 read of system files',
        "├─ 11 node 'a b.js'  exit 0, 2 ms",
        '│     DECOY /h/.npmrc  npm publishing token',
        '└─ 12 sh → ls  no end seen',
        'not tied to a process',
        '   limits hit 1: wallMs',
        '',
      ].join('\n'),
    );
  });

  it('is drawn with letters where the terminal has no lines', () => {
    const text = render(build(story), plain);
    expect(text).toMatch(/^\|- 11 node/m);
    expect(text).toMatch(/^`- 12 sh -> ls/m);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it('says how many names it does not show', () => {
    const many = build(Array.from({ length: 100 }, (_, at) => read(10, `/work/${at}`)));
    expect(render(many, drawn)).toContain(
      'read 100: /work/0, /work/1, /work/2, /work/3, + 60 names more, 36 times others\n',
    );
    expect(render(many, drawn, 1)).toContain('read 100: /work/0, + 63 names more, 36 times others\n');
  });

  it('is data for a program, one process per line', () => {
    const records = [...treeRecords(build(story))].map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.map(({ pid, parent, depth }) => [pid, parent, depth])).toEqual([
      [10, 1, 0],
      [11, 10, 1],
      [12, 10, 1],
      [null, undefined, undefined],
    ]);
    expect(records[1]).toMatchObject({ end: 'exit 0', did: { decoys: { count: 1, names: { '/h/.npmrc': 1 } } } });
  });

  it('is never wider than the terminal and never steers it', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 150 }), fc.constant('/\u001b[2J\u202e\r/x'));
    const step = fc.record({
      pid: fc.option(fc.nat(12), { nil: undefined }),
      parent: fc.nat(12),
      kind: fc.constantFrom(...eventKinds),
      fields: fc.dictionary(fc.constantFrom('path', 'from', 'to', 'call', 'address', 'canary', 'limit'), anyText),
    });
    const deep = Array.from({ length: 40 }, (_, at) => exec(at + 20, at + 19, 'a-long-command', `${at}`));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 50, max: 130 }), (steps, width) => {
        const tree = build([...deep, ...(steps as readonly Step[])]);
        for (const terminal of [drawn, plain])
          for (const line of render(tree, { ...terminal, width }).split('\n')) {
            expect(displayWidth(line)).toBeLessThanOrEqual(width);
            expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
          }
        for (const line of treeRecords(tree)) JSON.parse(line);
      }),
      { numRuns: 200 },
    );
  });
});
