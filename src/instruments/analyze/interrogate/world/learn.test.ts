import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { sampleWorld } from '../arguments/sample-world.ts';
import { event } from '../trials/sample-observed.ts';
import { learnFrom, rootBehind } from './learn.ts';

const open = (path: string) => event(1, 'open', { path: { text: path }, access: 'read' });
const tool: ListedTool = {
  name: 'read_note',
  description: 'Reads a note.',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const use = (input: Record<string, unknown>, ...paths: readonly string[]) => ({
  tool: tool.name,
  input,
  events: paths.map(open),
});
const learn = (input: Record<string, unknown>, ...paths: readonly string[]) =>
  learnFrom(sampleWorld, [tool], [use(input, ...paths)], [])[0];

describe('the root behind a value', () => {
  it.each([
    ['notes', '/home/sam/data/notes', { root: '/home/sam/data', ending: '', name: 'notes' }],
    ['notes', '/home/sam/data/notes.md', { root: '/home/sam/data', ending: '.md', name: 'notes' }],
    ['a/b.txt', '/srv/x/a/b.txt', { root: '/srv/x', ending: '', name: 'a/b.txt' }],
    ['./notes.txt', '/srv/x/notes.txt', { root: '/srv/x', ending: '', name: 'notes.txt' }],
    // A path that begins at the top is looked up below the root by those who join.
    ['/planted/notes.txt', '/srv/x/planted/notes.txt', { root: '/srv/x', ending: '', name: 'planted/notes.txt' }],
    ['/planted/notes.txt', '/planted/notes.txt', null],
    ['notes', '/srv/x/notes-of-others', null],
    ['notes', '/srv/x/keynotes', null],
    ['notes', '/usr/lib/notes', null],
    ['notes', '/srv/node_modules/a/notes', null],
    ['../notes', '/srv/notes', null],
    ['a', '/srv/a', null],
  ])('%j opened as %j: %j', (value, path, expected) => {
    expect(rootBehind(value, path)).toEqual(expected);
  });

  it('is above the path, whatever the two are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, path) => {
        const behind = rootBehind(value, `/${path}`);
        if (behind !== null) expect(`${behind.root}/${behind.name}${behind.ending}`).toBe(`/${path}`);
      }),
    );
  });
});

describe('honest calls', () => {
  it('tell the root that a server keeps to, and that the argument is a path', () => {
    expect(learn({ name: 'soup' }, '/tmp/x/recipes/soup.md')).toEqual({
      tool: 'read_note',
      root: '/tmp/x/recipes',
      ending: '.md',
      names: ['soup.md'],
      likely: [{ class: 'path-traversal', parameter: 'name' }],
    });
  });

  it('tell nothing new where the planted root is used', () => {
    const path = `${sampleWorld.root}/notes.txt`;
    expect(learn({ name: path }, path)).toEqual({
      ...{ tool: 'read_note', ending: '', names: [] },
      likely: [{ class: 'path-traversal', parameter: 'name' }],
    });
  });

  it('tell nothing where nothing of theirs was opened', () => {
    const nothing = { tool: 'read_note', ending: '', names: [], likely: [] };
    expect(learn({ name: 'soup' }, '/tmp/other/state.json')).toEqual(nothing);
    expect(learn({ name: 7, deep: [null, { x: true }] }, '/tmp/other/7')).toEqual(nothing);
    expect(learn({})).toEqual(nothing);
  });

  it.each([
    ['sh', ['sh', '-c', 'git log soup'], 'command-injection'],
    ['git', ['git', 'log', 'soup'], 'argument-injection'],
  ])('show a value that %s was given', (program, argv, expected) => {
    const run = event(1, 'exec', { path: { text: `/usr/bin/${program}` }, argv: argv.map((text) => ({ text })) });
    const [learnt] = learnFrom(sampleWorld, [tool], [{ tool: tool.name, input: { name: 'soup' }, events: [run] }], []);
    expect(learnt?.likely).toEqual([{ class: expected, parameter: 'name' }]);
  });

  it('show a value that was fetched', () => {
    const asked = event(1, 'http-request', { host: 'pages.example', path: '/a' });
    const input = { url: 'http://pages.example/a' };
    const [learnt] = learnFrom(sampleWorld, [tool], [{ tool: tool.name, input, events: [asked] }], []);
    expect(learnt?.likely.map((hint) => hint.class)).toEqual(['ssrf', 'exhaustion']);
  });
});

describe('what a tool says of itself', () => {
  it('names a file that the server made, and so its root', () => {
    const told = { ...tool, description: 'Reads a file, such as hello.txt.' };
    expect(learnFrom(sampleWorld, [told], [], [open('/etc/hello.txt'), open('/tmp/f/root/hello.txt')])).toEqual([
      {
        ...{ tool: 'read_note', root: '/tmp/f/root', ending: '', names: [] },
        likely: [{ class: 'path-traversal', parameter: 'name' }],
      },
    ]);
    expect(learnFrom(sampleWorld, [told], [], [open('/tmp/f/root/other.txt')])[0]?.root).toBeUndefined();
  });

  it('may be no schema at all', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    for (const inputSchema of [null, 7, 'x', loop]) {
      expect(learnFrom(sampleWorld, [{ name: 'x', inputSchema }], [], [open('/tmp/a.txt')])).toHaveLength(1);
    }
  });
});
