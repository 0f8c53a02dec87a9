import { describe, expect, it } from 'vitest';
import { findNearest } from './nearest.ts';

describe('findNearest', () => {
  const known = ['memoryBytes', 'processes', 'cpuCores', 'read', 'write', 'execute'];
  it.each([
    ['memoryByte', 'memoryBytes'],
    ['wriet', 'write'],
    ['CPUCORES', 'cpuCores'],
    ['raed', 'read'],
    ['exceute', 'execute'],
    ['zzzzzzzz', null],
    ['x'.repeat(1000), null],
  ])('%s: %s', (word, expected) => {
    expect(findNearest(word, known)).toBe(expected);
  });

  it('knows nothing without names', () => {
    expect(findNearest('a', [])).toBeNull();
  });
});
