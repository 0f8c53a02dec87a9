import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { sampleToolset } from './sample-toolset.ts';
import { selectTools, type ToolChoice } from './select-tools.ts';

const everything: ToolChoice = { isReadOnly: false, allow: [], deny: [] };
const all = ['echo', 'quote', 'wait', 'fail', 'change'];

describe('selectTools', () => {
  it.each<[string, Partial<ToolChoice>, readonly string[]]>([
    ['everything', {}, all],
    ['what only reads', { isReadOnly: true }, ['echo', 'quote', 'wait', 'fail']],
    ['what is allowed, in the order of the set', { allow: ['wait', 'echo'] }, ['echo', 'wait']],
    ['all but what is denied', { deny: ['change', 'echo'] }, ['quote', 'wait', 'fail']],
    ['what is allowed and reads', { isReadOnly: true, allow: ['echo'] }, ['echo']],
  ])('picks %s', (_, choice, names) => {
    const { tools, prompts } = selectTools([sampleToolset()], { ...everything, ...choice });
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(prompts).toHaveLength(1);
  });

  it.each<[string, Partial<ToolChoice>, RegExp, RegExp | undefined]>([
    ['a name nobody knows', { allow: ['zzzzzzzzzz'] }, /--allow-tool: there is no tool "zzzzzzzzzz"/, /there are echo/],
    ['a name that is misspelt', { deny: ['ehco'] }, /--deny-tool/, /did you mean echo/],
    ['a name of an object', { deny: ['constructor'] }, /there is no tool/, undefined],
    ['both at once', { allow: ['echo'], deny: ['echo'] }, /allowed and denied/, undefined],
    ['a writer among readers', { isReadOnly: true, allow: ['change'] }, /not a tool that only reads/, /--read-only/],
    ['nothing left', { deny: all }, /no tool is left/, undefined],
  ])('refuses %s', (_, choice, message, hint) => {
    const select = (): unknown => selectTools([sampleToolset()], { ...everything, ...choice });
    expect(select).toThrow(UsageError);
    expect(select).toThrow(message);
    if (hint !== undefined) expect(select).toThrow(expect.objectContaining({ hint: expect.stringMatching(hint) }));
  });

  it('has a tool once that is in two sets', () => {
    const set = sampleToolset();
    expect(selectTools([set, set], everything).tools).toHaveLength(all.length);
  });
});
