import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';

describe('random values', () => {
  it('follow from the seed', () => {
    expect(createRandom('a').bytes(40)).toEqual(createRandom(Buffer.from('a')).bytes(40));
    expect(createRandom('a').bytes(40)).not.toEqual(createRandom('b').bytes(40));
  });

  it('go on, whatever the pieces they are asked for in', () => {
    const [one, other] = [createRandom('a'), createRandom('a')];
    expect(Buffer.concat([one.bytes(3), one.bytes(30)])).toEqual(other.bytes(33));
  });

  it('stay below the limit and reach every number', () => {
    const random = createRandom('dice');
    const thrown = Array.from({ length: 2000 }, () => random.below(6));
    expect(new Set(thrown)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    for (const count of [0, 1, 2, 3, 4, 5].map((face) => thrown.filter((one) => one === face).length))
      expect(Math.abs(count - 333)).toBeLessThan(90);
  });

  it('keep to the alphabet, and refuse an empty list', () => {
    expect(createRandom('a').text('xyz', 50)).toMatch(/^[xyz]{50}$/);
    expect(() => createRandom('a').pick([])).toThrow(RangeError);
  });
});
