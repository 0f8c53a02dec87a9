import { describe, expect, it } from 'vitest';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { positions } from '../arguments/index.ts';
import { sampleWorld } from '../arguments/sample-world.ts';
import { readBudgets, withinBudget } from './budget.ts';
import { allTrials, type Hints } from './make-trials.ts';
import { everyMeaning, readBench, trialOf, trialsFor } from './sample-observed.ts';

const bench = readBench();
const budgets = readBudgets();

function toolWith(properties: object, more: Partial<ListedTool> = {}): ListedTool {
  return { name: 'tool', inputSchema: { type: 'object', properties }, ...more };
}

const text = { type: 'string' };

function all(tool: ListedTool, hints: Partial<Hints> = {}, world = sampleWorld) {
  return allTrials(tool, positions(tool.inputSchema, bench.knowledge), world, 'seed', { ...bench, ...hints });
}

describe('the order of trials', () => {
  it.each([
    ['path', 'path-traversal'],
    ['url', 'ssrf'],
    ['branch', 'argument-injection'],
    ['expression', 'code-eval'],
    ['xml', 'xxe'],
    ['yaml', 'deserialisation'],
    ['template', 'template'],
    ['table', 'sql-injection'],
    ['headers', 'crlf'],
    ['fileKey', 'command-injection'],
    ['x', 'command-injection'],
  ])('begins for %s with %s', (name, kind) => {
    expect(all(toolWith({ [name]: text })).trials[0]?.class).toBe(kind);
  });

  it('follows a hint of inspection, for its parameter alone', () => {
    const tool = toolWith({ title: text, note: text });
    const { trials } = all(tool, { likely: [{ class: 'template', parameter: 'note' }] });
    expect(trials[0]).toMatchObject({ class: 'template', position: { pointer: '/note' } });
    expect(trials.find((trial) => trial.position.pointer === '/title')?.class).toBe('command-injection');
  });

  it.each([
    ['fileKey', 'command-injection', 'substitution'],
    ['jarFilePath', 'command-injection', 'double-quote'],
    ['path', 'path-traversal', 'sibling'],
    ['path', 'path-traversal', 'link'],
    ['url', 'ssrf', 'ipv6'],
    ['url', 'ssrf', 'mapped'],
    ['sql', 'sql-injection', 'read-only-escape'],
  ])('brings for %s %s/%s within the standard budget', (name, kind, payload) => {
    const { trials } = withinBudget([all(toolWith({ [name]: text }))], budgets.standard);
    expect(trials.some((trial) => trial.class === kind && trial.payload === payload)).toBe(true);
  });

  it('heeds what the tool says of itself', () => {
    const tool = toolWith({ path: text, isUrl: { type: 'boolean' } }, { description: 'Reads a file or a URL.' });
    const { trials } = withinBudget([all(tool)], budgets.standard);
    expect(trialOf(trials, 'ssrf', 'loopback', '/path').flags).toContain('url');
  });

  it('reaches items of lists and listings of folders', () => {
    const tool = toolWith({ paths: { type: 'array', items: text } });
    const { trials } = withinBudget([all(tool)], budgets.standard);
    expect(trialOf(trials, 'path-traversal', 'up-missing', '/paths/0').value).toMatch(
      /^\.\.\/.*\/planted\/elsewhere\/q\w+\.mdx$/,
    );
  });
});

describe('trials', () => {
  it('are the same for the same seed, and differ in their marks from each other', () => {
    expect(trialsFor(everyMeaning, bench)).toEqual(trialsFor(everyMeaning, bench));
    const files = trialsFor(everyMeaning, bench)
      .filter(({ class: kind, payload }) => kind === 'command-injection' && payload === 'semicolon')
      .map(({ oracles }) => JSON.stringify(oracles));
    expect(new Set(files).size).toBe(files.length);
    expect(files.length).toBeGreaterThan(20);
  });

  it('leave no hole open', () => {
    for (const { id, value, oracles } of trialsFor(everyMeaning, bench)) {
      expect(JSON.stringify([value, oracles]), id).not.toMatch(/\[\[[A-Za-z]/);
    }
  });

  it('keep __proto__ as a key', () => {
    const { value } = trialOf(trialsFor(everyMeaning, bench), 'prototype-pollution', 'name-of-process');
    expect(JSON.stringify(value)).toMatch(/^\{"__proto__":\{"argv0":"q[a-z]{13}"\}\}$/);
  });

  it('begin with the honest value, so that they get as far as an honest call', () => {
    const trial = trialOf(trialsFor(everyMeaning, bench), 'command-injection', 'semicolon', '/path');
    expect(trial.value).toMatch(/^\/planted\/root\/notes\.txt; touch /);
  });

  it('are few where the schema wants no text', () => {
    const kinds = trialsFor(everyMeaning, bench).filter(({ position }) => position.pointer === '/limit');
    expect(kinds.filter((trial) => trial.class === 'command-injection').length).toBe(2);
  });

  it('stay within bounds of size', () => {
    for (const { id, value } of trialsFor(everyMeaning, bench)) {
      expect(JSON.stringify(value).length, id).toBeLessThan(300_000);
    }
  });

  it('for another system are listed as not tried', () => {
    const { trials, notTried } = all(toolWith({ name: text }));
    expect(trials.some(({ payload }) => payload === 'powershell')).toBe(false);
    expect(notTried).toContainEqual({
      class: 'command-injection',
      payload: 'powershell',
      tool: 'tool',
      pointer: '/name',
      reason: 'nothing-in-this-box-shows-it',
    });
    const world = { ...sampleWorld, programs: ['pwsh'] };
    expect(all(toolWith({ name: text }), {}, world).trials.some(({ payload }) => payload === 'powershell')).toBe(true);
  });

  it('that need something planted are not made without it', () => {
    const { sibling: _, link: __, databaseCanary: ___, redirect: ____, ...bare } = sampleWorld;
    const { trials } = all(toolWith({ path: text, query: text, url: text }), {}, bare);
    const ids = trials.map((trial) => trial.payload);
    for (const payload of ['sibling', 'link', 'always', 'redirect']) expect(ids).not.toContain(payload);
    expect(ids).toContain('plain');
  });

  it.each([
    ['outsideCanary', '/planted/elsewhere/report.txt'],
    ['outsideCanary', 'report'],
    ['outsideCanary', 'planted'],
  ])('are not made with a token that the payload would give away (%s = %s)', (key, token) => {
    const { trials } = all(toolWith({ path: text }), {}, { ...sampleWorld, [key]: token });
    const oracles = trials.flatMap((trial) => trial.oracles);
    expect(oracles.some((oracle) => oracle.kind === 'canary-in-result' && oracle.secret === 'outside')).toBe(false);
  });
});

describe('what a tool is for', () => {
  it.each([
    [{ command: text }, {}, 'command-injection', 'semicolon', true],
    [{ code: text }, {}, 'code-eval', 'javascript', true],
    [{ expression: text }, {}, 'code-eval', 'javascript', false],
    [{ sql: text }, {}, 'sql-injection', 'union-one', true],
    [{ sql: text }, {}, 'sql-injection', 'read-only-escape', true],
    [{ query: text }, {}, 'sql-injection', 'write', true],
    [{ query: text }, {}, 'sql-injection', 'union-one', false],
    [{ url: text }, {}, 'exhaustion', 'declared-size', true],
    [{ path: text }, {}, 'path-traversal', 'plain', true],
    [{ path: text }, {}, 'path-traversal', 'up', false],
    [{ path: text }, { description: 'Only works within allowed directories.' }, 'path-traversal', 'plain', false],
    [{ path: { ...text, description: 'relative to the root' } }, {}, 'path-traversal', 'sibling', false],
    [{ url: text }, {}, 'ssrf', 'loopback', false],
  ])('%j %j: %s/%s by design is %s', (properties, more, kind, payload, isByDesign) => {
    expect(trialOf(all(toolWith(properties, more)).trials, kind, payload).isByDesign).toBe(isByDesign);
  });

  it('is told by the caller who set the boundary', () => {
    const { trials } = all(toolWith({ path: text }), { isConfined: true });
    expect(trialOf(trials, 'path-traversal', 'plain').isByDesign).toBe(false);
  });
});

describe('a budget', () => {
  it.each(['quick', 'standard', 'deep'] as const)('%s is kept, and what it leaves out is listed', (name) => {
    const every = [all(everyMeaning), all({ ...everyMeaning, name: 'again' })];
    const { trials, notTried } = withinBudget(every, budgets[name]);
    expect(trials.length).toBeLessThanOrEqual(budgets[name].total);
    const counts = Map.groupBy(trials, ({ tool, position }) => `${tool} ${position.pointer}`);
    for (const [, list] of counts) expect(list.length).toBeLessThanOrEqual(budgets[name].perPosition);
    const sum = every.reduce((total, each) => total + each.trials.length + each.notTried.length, 0);
    expect(trials.length + notTried.length).toBe(sum);
    expect(trials.map(({ score }) => score)).toEqual(
      trials.map(({ score }) => score).toSorted((one, other) => other - one),
    );
  });

  it('grows with its name', () => {
    expect(budgets.quick.total).toBeLessThan(budgets.standard.total);
    expect(budgets.standard.total).toBeLessThan(budgets.deep.total);
  });
});
