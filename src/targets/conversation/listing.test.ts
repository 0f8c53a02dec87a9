import { describe, expect, it } from 'vitest';
import type { Handshake } from './contract.ts';
import { defaultLimits } from './limits.ts';
import { type AskForPage, listAll } from './listing.ts';

const declaring = (...capabilities: readonly string[]): Handshake => ({
  protocolVersion: '2025-11-25',
  serverName: 's',
  serverVersion: '1',
  capabilities: Object.fromEntries(capabilities.map((name) => [name, {}])),
  problems: [],
});

type Page = Record<string, unknown>;

function server(pages: Readonly<Record<string, (cursor: string | undefined) => Page | null>>) {
  const asked: string[] = [];
  const ask: AskForPage = async (method, { cursor }) => {
    asked.push(cursor === undefined ? method : `${method} ${String(cursor)}`);
    const page = pages[method]?.(typeof cursor === 'string' ? cursor : undefined) ?? null;
    return page === null
      ? { kind: 'error', error: { code: -32601, message: 'Method not found' } }
      : { kind: 'result', result: page };
  };
  return { ask, asked };
}

const tool = (name: unknown, more: Page = {}): Page => ({ name, inputSchema: { type: 'object' }, ...more });

describe('a listing', () => {
  it('asks for what is declared, and for tools in any case', async () => {
    const { ask, asked } = server({});
    const listing = await listAll(ask, declaring(), defaultLimits);
    expect(asked).toEqual(['tools/list']);
    expect(listing).toMatchObject({ tools: [], problems: [], raw: [] });
    await listAll(ask, declaring('tools', 'prompts', 'resources'), defaultLimits);
    expect(asked.slice(1)).toEqual(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']);
  });

  it('walks the pages', async () => {
    const { ask, asked } = server({
      'tools/list': (cursor) =>
        cursor === undefined ? { tools: [tool('a')], nextCursor: 'more' } : { tools: [tool('b')] },
    });
    const listing = await listAll(ask, declaring('tools'), defaultLimits);
    expect(listing.tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(listing.raw).toHaveLength(2);
    expect(asked).toEqual(['tools/list', 'tools/list more']);
  });

  const broken: readonly {
    title: string;
    page: (cursor: string | undefined) => Page | null;
    tools: number;
    problem: RegExp | null;
  }[] = [
    {
      title: 'a cursor that comes again',
      page: () => ({ tools: [], nextCursor: 'x' }),
      tools: 0,
      problem: /came again/,
    },
    {
      title: 'cursors without end',
      page: (cursor) => ({ tools: [], nextCursor: `${cursor}x` }),
      tools: 0,
      problem: /more than 50 pages/,
    },
    {
      title: 'a cursor that is a number',
      page: () => ({ tools: [tool('a')], nextCursor: 7 }),
      tools: 1,
      problem: /cursor that is none/,
    },
    { title: 'a cursor of nothing', page: () => ({ tools: [tool('a')], nextCursor: '' }), tools: 1, problem: null },
    { title: 'no list', page: () => ({ tools: 'many' }), tools: 0, problem: /answer that is none/ },
    { title: 'an error', page: () => null, tools: 0, problem: /Method not found/ },
    {
      title: 'ten thousand entries',
      page: () => ({ tools: Array(10_000).fill(tool('a')) }),
      tools: 5000,
      problem: /more than 5000 entries/,
    },
    { title: 'a tool that is null', page: () => ({ tools: [null, tool('a')] }), tools: 1, problem: /no object/ },
    {
      title: 'a tool without a name',
      page: () => ({ tools: [tool(7), tool('')] }),
      tools: 0,
      problem: /without a name/,
    },
    {
      title: 'an endless name',
      page: () => ({ tools: [tool('x'.repeat(5000))] }),
      tools: 0,
      problem: /5000 characters/,
    },
    { title: 'no schema', page: () => ({ tools: [{ name: 'a' }] }), tools: 1, problem: /no input schema/ },
    {
      title: 'a schema of text',
      page: () => ({ tools: [tool('a', { inputSchema: 'x' })] }),
      tools: 1,
      problem: /no input schema/,
    },
    {
      title: 'a schema of another type',
      page: () => ({ tools: [tool('a', { inputSchema: { type: 'string' } })] }),
      tools: 1,
      problem: /not of type object/,
    },
    {
      title: 'a description that is no text',
      page: () => ({ tools: [tool('a', { description: {} })] }),
      tools: 1,
      problem: /description of tool "a" is no text/,
    },
    {
      title: 'odd annotations',
      page: () => ({ tools: [tool('a', { annotations: 1, outputSchema: 2 })] }),
      tools: 1,
      problem: /annotations of tool "a" are none/,
    },
    { title: 'twins', page: () => ({ tools: [tool('a'), tool('a')] }), tools: 2, problem: /two tools are called "a"/ },
    {
      title: 'escapes in a name',
      page: () => ({ tools: [tool('\u001b[2J', { inputSchema: 0 })] }),
      tools: 1,
      problem: /"\\x1b\[2J"/,
    },
  ];
  it.each(broken)('with $title', async ({ page, tools, problem }) => {
    const { ask } = server({ 'tools/list': page });
    const listing = await listAll(ask, declaring('tools'), defaultLimits);
    expect(listing.tools).toHaveLength(tools);
    if (problem === null) expect(listing.problems).toEqual([]);
    else expect(listing.problems.join('\n')).toMatch(problem);
  });

  it('keeps what a schema is, whatever it is', async () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/nowhere' } }, required: 7 };
    const { ask } = server({
      'tools/list': () => ({
        tools: [tool('a', { inputSchema: schema, title: 't', description: 'd', annotations: { readOnlyHint: true } })],
      }),
    });
    const { tools } = await listAll(ask, declaring('tools'), defaultLimits);
    expect(tools).toEqual([
      { name: 'a', title: 't', description: 'd', inputSchema: schema, annotations: { readOnlyHint: true } },
    ]);
  });

  it('has prompts, resources and templates', async () => {
    const { ask } = server({
      'prompts/list': () => ({
        prompts: [
          { name: 'p', arguments: [{ name: 'a', required: true }, { name: 'b' }, 'c'] },
          { name: 'q', arguments: 1 },
        ],
      }),
      'resources/list': () => ({ resources: [{ uri: 'file:///a', name: 'A' }, {}] }),
      'resources/templates/list': () => ({
        resourceTemplates: [{ uriTemplate: 'file:///{path}', description: 'any' }],
      }),
    });
    const listing = await listAll(ask, { ...declaring('prompts', 'resources'), instructions: 'hello' }, defaultLimits);
    expect(listing.prompts).toEqual([
      {
        name: 'p',
        arguments: [
          { name: 'a', required: true },
          { name: 'b', required: false },
        ],
      },
      { name: 'q', arguments: [] },
    ]);
    expect(listing.resources).toEqual([
      { uri: 'file:///a', name: 'A', isTemplate: false },
      { uri: 'file:///{path}', description: 'any', isTemplate: true },
    ]);
    expect(listing.instructions).toBe('hello');
    expect(listing.problems).toHaveLength(3);
  });
});
