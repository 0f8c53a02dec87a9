import { describe, expect, it } from 'vitest';
import { everyMeaning, readBench, trialOf, trialsFor } from '../trials/sample-observed.ts';
import { inRounds, placeOf, seemsToWrite } from './order.ts';

const trials = trialsFor(everyMeaning, readBench());
const sample = trialOf(trials, 'command-injection', 'substitution', '/text');

/** Only the place and the score matter here. */
function at(tool: string, pointer: string, score: number) {
  return { ...sample, id: `${tool}${pointer} ${score}`, tool, position: { ...sample.position, pointer }, score };
}

describe('a place', () => {
  it('is one parameter of one tool', () => {
    const places = [at('a', '/x', 1), at('a', '/x', 2), at('a', '/y', 1), at('b', '/x', 1)].map(placeOf);
    expect(new Set(places).size).toBe(3);
  });
});

describe('rounds', () => {
  it('give every place a turn before any has a second one, the likeliest first', () => {
    const mixed = [at('a', '/x', 5), at('a', '/x', 90), at('b', '/x', 40), at('b', '/x', 60), at('b', '/y', 70)];
    expect(inRounds(mixed).map(({ id }) => id)).toEqual(['a/x 90', 'b/y 70', 'b/x 60', 'b/x 40', 'a/x 5']);
  });

  it('leave nothing out and add nothing', () => {
    expect(inRounds([])).toEqual([]);
    const ids = inRounds(trials).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(trials.map(({ id }) => id).toSorted());
  });
});

describe('a tool that seems to write', () => {
  it.each([
    { name: 'write_file', writes: true },
    { name: 'deleteBranch', writes: true },
    { name: 'git-reset', writes: true },
    { name: 'set_key', writes: true },
    { name: 'read_file', writes: false },
    { name: 'settings', writes: false },
    { name: 'offset', writes: false },
    { name: 'output', writes: false },
    { name: 'write_file', annotations: { readOnlyHint: true }, writes: false },
    { name: 'read_file', annotations: { destructiveHint: true }, writes: true },
    { name: 'read_file', annotations: { destructiveHint: 'yes' }, writes: false },
  ])('$name with $annotations: $writes', ({ writes, ...tool }) => {
    expect(seemsToWrite(tool)).toBe(writes);
  });
});
