import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import type { BudgetName } from '../../../instruments/analyze/interrogate/trials/index.ts';
import { budgetTimes } from '../../../instruments/analyze/run/wishes.ts';
import { readBudget } from './budget.ts';
import { readModelWish } from './model-wish.ts';
import { applyOlderFlags, type OlderFlags } from './older-flags.ts';
import { describeProp, readHeaders, readProps, readVariables } from './pairs.ts';
import { readJobs, readWishes } from './wishes.ts';

/** What a reader does with any text: an answer, or a UsageError that a person can act on. */
function isUsage(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    return error instanceof UsageError && error.message.length < 600;
  }
}

describe('readBudget', () => {
  const usual = (name: BudgetName) => [name, budgetTimes[name].mostMs, budgetTimes[name].patienceMs] as const;

  it.each([
    [undefined, undefined, usual('standard')],
    ['quick', undefined, usual('quick')],
    ['deep', '0', ['deep', budgetTimes.deep.mostMs, 0]],
    ['5', undefined, ['quick', 5000, budgetTimes.quick.patienceMs]],
    ['20s', '1.5', ['standard', 20_000, 1500]],
    ['7200', undefined, ['deep', 7_200_000, budgetTimes.deep.patienceMs]],
  ] as const)('%s with patience %s', (text, patience, expected) => {
    const { budget, mostMs, patienceMs } = readBudget(text, patience);
    expect([budget, mostMs, patienceMs]).toEqual(expected);
  });

  it.each(['', '0', '-1', '1e3', 'Infinity', '86401', 'standart', '1 s', 'NaN', '٣'])('refuses %j', (text) => {
    expect(() => readBudget(text)).toThrow(UsageError);
  });

  it('says which name was meant', () => {
    expect(() => readBudget('standart')).toThrow(expect.objectContaining({ hint: 'did you mean standard?' }));
  });

  it('never fails otherwise', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (text, patience) => isUsage(() => readBudget(text, patience))));
  });
});

describe('readVariables', () => {
  it.each([
    [['A=1'], { A: '1' }],
    [['A=1=2', 'B='], { A: '1=2', B: '' }],
    [['HERE'], { HERE: 'x' }],
    [['A=1', 'A=2'], { A: '2' }],
    [['__proto__=x'], Object.fromEntries([['__proto__', 'x']])],
  ] as const)('%j', (pairs, expected) => {
    expect(readVariables(pairs, { HERE: 'x' })).toEqual(expected);
  });

  it.each([['=x'], ['1A=x'], ['A B=x'], [''], ['ABSENT'], ['A=\0']])('refuses %j', (pair) => {
    expect(() => readVariables([pair], {})).toThrow(UsageError);
  });

  it('does not repeat a value in its message', () => {
    expect(() => readVariables(['my name=very-secret'], {})).toThrow(/^(?!.*very-secret)/);
  });

  it('takes exactly what was written, or refuses it', () => {
    // The first equals sign ends a name.
    const name = fc
      .oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Z_]{1,6}$/))
      .filter((text) => !text.includes('='));
    fc.assert(
      fc.property(name, fc.string({ unit: 'binary' }), (name, value) => {
        try {
          return readVariables([`${name}=${value}`], {})[name] === value;
        } catch (error) {
          return error instanceof UsageError;
        }
      }),
    );
  });
});

describe('readHeaders', () => {
  it('reads names and values', () => {
    expect(readHeaders(['Authorization: Bearer a:b', 'X-Empty:'])).toEqual({
      Authorization: 'Bearer a:b',
      'X-Empty': '',
    });
  });

  it.each(['no colon', ': x', 'A B: x', 'A: b\r\nC: d', 'A: \u0001'])('refuses %j', (line) => {
    expect(() => readHeaders([line])).toThrow(UsageError);
  });
});

describe('readProps', () => {
  it.each(['postgres', 'redis', 'kubectl=stub', 'kubectl=stub:Client: v1\nok', 'g++=stub'])('%s', (text) => {
    expect(readProps([text]).map(describeProp)).toEqual([text]);
  });

  it.each(['mysql', 'kubectl', 'kubectl=real', '=stub', '../sh=stub', '-x=stub', 'a b=stub', ''])(
    'refuses %j',
    (text) => {
      expect(() => readProps([text])).toThrow(/expected postgres, redis, NAME=stub/);
    },
  );

  it('never fails otherwise', () => {
    fc.assert(fc.property(fc.string(), (text) => isUsage(() => readProps([text, `${text}=stub:${text}`]))));
  });
});

describe('applyOlderFlags', () => {
  it.each<[readonly string[], OlderFlags, readonly string[]]>([
    [['x'], {}, ['x']],
    [['x'], { sourceType: 'npm' }, ['npm:x']],
    [['npm:x'], { sourceType: 'npm' }, ['npm:x']],
    [['x==1'], { sourceType: 'pypi' }, ['pypi:x==1']],
    [['x', './y'], { sourceType: 'local' }, ['./x', './y']],
    [['o/n'], { ref: 'v1' }, ['github:o/n#v1']],
    [['o/n'], { sourceType: 'github' }, ['github:o/n']],
    [['./x'], { serverUrl: 'http://localhost:8000' }, ['./x', 'http://localhost:8000']],
    [[], { serverUrl: 'https://a.example/mcp' }, ['https://a.example/mcp']],
  ])('%j with %j', (words, flags, expected) => {
    expect(applyOlderFlags(words, flags)).toEqual(expected);
  });

  it.each<OlderFlags>([
    { sourceType: 'svn' },
    { sourceType: 'constructor' },
    { sourceType: 'npm', ref: 'v1' },
    { serverUrl: 'ftp://x' },
    { serverUrl: '' },
  ])('refuses %j', (flags) => {
    expect(() => applyOlderFlags(['x'], flags)).toThrow(UsageError);
  });
});

describe('readModelWish', () => {
  const anthropic = { service: 'anthropic', key: 'k', limits: { mostRequests: 12, mostTokens: 150_000 } };
  it.each([
    ['nothing', {}, {}, {}, null, 0],
    ['a key alone', {}, { anthropicKey: 'k' }, {}, null, 0],
    ['a flag and a key', { llm: 'anthropic' }, { anthropicKey: 'k' }, {}, anthropic, 0],
    ['a variable and a key', {}, { isModelWanted: true, anthropicKey: 'k' }, {}, anthropic, 0],
    ['a variable without a key', {}, { isModelWanted: true }, {}, null, 1],
    ['a key on the command line', { anthropicKey: 'k' }, {}, {}, anthropic, 1],
    [
      'a service',
      { llm: 'http://localhost:1/v1', llmModel: 'm', llmMostCalls: '3' },
      { anthropicKey: 'not for others' },
      { OPENAI_API_KEY: 'o' },
      {
        service: 'openai-compatible',
        url: 'http://localhost:1/v1',
        key: 'o',
        model: 'm',
        limits: { mostRequests: 3, mostTokens: 150_000 },
      },
      0,
    ],
  ])('%s', (_, flags, variables, environment, expected, notes) => {
    const read = readModelWish(flags, variables, environment);
    expect(read.wish).toEqual(expected === null ? null : { ...expected, environment });
    expect(read.notes).toHaveLength(notes);
  });

  it.each([
    { llm: 'gpt' },
    { llm: 'anthropic' },
    { llm: 'http://localhost/v1' },
    { llmModel: 'm' },
    { llm: 'http://localhost/v1', llmModel: 'm', llmMostCalls: '0' },
    { llm: 'http://localhost/v1', llmModel: 'm', llmMostTokens: '1.5' },
  ])('refuses %j', (flags) => {
    expect(() => readModelWish(flags, {}, {})).toThrow(UsageError);
  });
});

describe('readWishes', () => {
  const flags = { env: [], arg: [], prop: [], header: [], network: true };

  it('has no network where either says so, and tells why a variable did it', () => {
    expect(readWishes({ ...flags, network: false }, { fromFile: [] }, {}).wishes.hasNetwork).toBe(false);
    const read = readWishes(flags, { fromFile: [], isNetworkWatched: false }, {});
    expect(read.wishes.hasNetwork).toBe(false);
    expect(read.notes.join()).toContain('ENABLE_NETWORK_MONITORING');
  });

  it('makes a new seed each time, unless there is one', () => {
    const seed = (text?: string): string => readWishes({ ...flags, seed: text }, { fromFile: [] }, {}).wishes.seed;
    expect(seed('abc')).toBe('abc');
    expect(seed()).not.toBe(seed());
    expect(() => seed('a b')).toThrow(UsageError);
  });

  it.each(['', '0', '65', '-1', '1.0', 'two'])('refuses %j jobs', (text) => {
    expect(() => readJobs(text)).toThrow(UsageError);
  });
});
