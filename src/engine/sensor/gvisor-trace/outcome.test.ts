import { describe, expect, it } from 'vitest';
import { endFields, outcomeOf } from './outcome.ts';

describe('outcomeOf', () => {
  it.each([
    [0, 'ok'],
    [1, 'denied'],
    [13, 'denied'],
    [2, 'failed'],
    [38, 'failed'],
    [115, 'unknown'],
    [512, 'unknown'],
  ] as const)('takes errno %i for %s', (errno, expected) => {
    expect(outcomeOf({ result: 0, errno })).toBe(expected);
  });

  it('does not know what has not come', () => {
    expect(outcomeOf(undefined)).toBe('unknown');
  });
});

describe('endFields', () => {
  it.each([
    [0, { code: 0 }],
    [768, { code: 3 }],
    [65_280, { code: 255 }],
    [9, { signal: 9 }],
    [139, { signal: 11 }],
    [-1, { signal: 127 }],
  ])('reads status %i', (status, expected) => {
    expect(endFields(status)).toEqual(expected);
  });
});
