import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault, lineAndColumn, parseJson } from './json-fault.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findJsonFault', () => {
  it.each([
    ['', 0, 'expected a value, found the end'],
    ['{', 1, 'expected a key in double quotes, found the end'],
    ['{"a" 1}', 5, 'expected ":", found "1"'],
    ['{"a":1,}', 7, 'expected a key in double quotes, found "}"'],
    ['[1 2]', 3, 'expected "," or "]", found "2"'],
    ['[1,]', 3, 'expected a value, found "]"'],
    ['{"a":1} x', 8, 'expected the end, found "x"'],
    ['"a', 0, 'expected text that ends with a double quote, found "\\""'],
    ["{'a':1}", 1, 'expected a key in double quotes, found "\'"'],
    ['[01]', 2, 'expected "," or "]", found "1"'],
    ['// x', 0, 'expected a value, found "/"'],
    ['{"a":1,"b":{"c":1,"\\u0063":2}}', 18, 'the key "\\u0063" stands twice in one object'],
  ])('%s', (text, position, what) => {
    expect(findJsonFault(text)).toEqual({ position, what });
  });

  it('stops at a depth that no policy needs', () => {
    expect(findJsonFault('['.repeat(100_000))?.what).toBe('nested deeper than 64');
  });

  it('agrees with JSON.parse about values', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat(), fc.string({ maxLength: 2 }), (text, at, noise) => {
        expect(findJsonFault(text)).toBeNull();
        const position = at % (text.length + 1);
        const spoilt = text.slice(0, position) + noise + text.slice(position);
        const fault = findJsonFault(spoilt);
        // Equal keys are our own rule.
        if (fault?.what.includes('twice') !== true) expect(fault === null).toBe(isJson(spoilt));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('lineAndColumn', () => {
  it.each([
    ['abc', 0, 1, 1],
    ['a\nbc', 3, 2, 2],
    ['a\n\n', 3, 3, 1],
  ])('%j at %i is line %i, column %i', (text, position, line, column) => {
    expect(lineAndColumn(text, position)).toEqual({ line, column });
  });
});

describe('parseJson', () => {
  it('tells the place, and nothing of the file that a terminal would obey', () => {
    const text = '{\n "a\u009b2J": 1,\n "a\u009b2J": 2}';
    expect(() => parseJson(text, 'the policy x')).toThrow(/^the policy x is not JSON: line 3, column 2: [\x20-\x7e]*$/);
    expect(parseJson('{"a": 1}', 'x')).toEqual({ a: 1 });
  });
});
