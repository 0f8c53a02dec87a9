import { describe, expect, it } from 'vitest';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { honestInputs, readKnowledge } from './honest-inputs.ts';
import { positions, positionsOf } from './positions.ts';
import { sampleWorld } from './sample-world.ts';
import { inputFor, valueAt, withValue } from './with-value.ts';

const knowledge = readKnowledge();

function toolWith(inputSchema: unknown, more: Partial<ListedTool> = {}): ListedTool {
  return { name: 'example', inputSchema, ...more };
}

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = Object.keys(properties), more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

describe('positions', () => {
  const schema = object(
    {
      path: text,
      paths: { type: 'array', items: { ...text, description: 'file path' } },
      limit: { type: 'integer' },
      mode: { enum: ['a', 'b'] },
      nested: object({ 'a/b': object({ url: text }, []) }),
      any: {},
      either: { anyOf: [{ type: 'integer' }, object({ command: text })] },
      headers: { type: 'object', additionalProperties: text },
    },
    ['path', 'nested'],
  );
  const found = positions(schema, knowledge);

  it('are found at every depth, in lists, maps and branches', () => {
    expect(found.map(({ pointer }) => pointer)).toEqual([
      '/path',
      '/paths',
      '/paths/0',
      '/limit',
      '/mode',
      '/nested',
      '/nested/a~1b',
      '/nested/a~1b/url',
      '/any',
      '/either',
      '/either/command',
      '/headers',
      '/headers/name',
    ]);
  });

  it.each([
    ['/path', { meaning: 'file', isRequired: true, isText: true }],
    ['/paths/0', { meaning: 'file', isRequired: false, isText: true }],
    ['/limit', { isText: false, types: ['integer'] }],
    ['/mode', { meaning: 'choice' }],
    ['/nested/a~1b/url', { meaning: 'url', isRequired: false, isText: true }],
    ['/any', { isText: true }],
    ['/either/command', { meaning: 'command', isText: true }],
  ])('%s is known for what it is', (pointer, expected) => {
    expect(found.find((position) => position.pointer === pointer)).toMatchObject(expected);
  });

  it('of a schema that contains itself are bounded', () => {
    const node = { $ref: '#/$defs/n' };
    const endless = { ...object({ n: node }), $defs: { n: object({ name: text, left: node, right: node }) } };
    expect(positions(endless, knowledge).length).toBeLessThan(60);
  });

  it('can each be replaced, and nothing else changes', () => {
    const inputs = honestInputs(toolWith(schema), sampleWorld, { seed: 's', knowledge });
    for (const position of found) {
      const input = inputFor(inputs, position);
      expect(valueAt(input, position), position.pointer).toBeDefined();
      const changed = withValue(input, position, 'PAYLOAD');
      expect(valueAt(changed, position)).toBe('PAYLOAD');
      expect(withValue(changed, position, valueAt(input, position))).toEqual(input);
    }
  });

  it('of a tool whose schema is lost are those of the guess', () => {
    const tool = toolWith({}, { name: 'list_directory' });
    expect(positionsOf(tool, knowledge)).toMatchObject([{ pointer: '/path', meaning: 'folder' }]);
  });

  it('are put into an input whose switches are on, where that is asked for', () => {
    const tool = toolWith(object({ path: text, isUrl: { type: 'boolean' }, deep: { type: 'boolean' } }, ['path']));
    const inputs = honestInputs(tool, sampleWorld, { seed: 's', knowledge });
    expect(inputFor(inputs, { path: ['path'] })).toEqual({ path: '/planted/root/notes.txt' });
    expect(inputFor(inputs, { path: ['path'] }, ['url'])).toMatchObject({ isUrl: true });
    expect(inputFor(inputs, { path: ['path'] }, ['no-such'])).toEqual({ path: '/planted/root/notes.txt' });
  });

  it('are made where the input has nothing yet, also under a key that is dangerous', () => {
    expect(withValue({}, { path: ['a', 1, 'b'] }, 7)).toEqual({ a: [null, { b: 7 }] });
    const made = withValue({}, { path: ['__proto__', 'x'] }, 7);
    expect(Object.keys(made)).toEqual(['__proto__']);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
