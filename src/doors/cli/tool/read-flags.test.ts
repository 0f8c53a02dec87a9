import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { settingKeys } from '../../settings/index.ts';
import { toolsets } from '../../tools/index.ts';
import { settingOption, shorthands } from '../global-options.ts';
import { flagsOf } from './flags.ts';
import { exampleLine, quoteWord } from './help.ts';
import { readFlags } from './read-flags.ts';

const flags = flagsOf({
  input: z.strictObject({
    target: z.string().max(10),
    wait_seconds: z.number().min(0).max(9).optional(),
    offline: z.boolean().default(false),
    kind: z
      .array(z.enum(['a', 'b']))
      .max(3)
      .default([]),
    process: z.array(z.number().int().min(0).max(9)).max(3).default([]),
    environment: z.record(z.string().max(9), z.string().max(9)).default({}),
    argv: z.array(z.string().max(9)).max(9).default([]),
  }),
});

describe('readFlags', () => {
  it.each<readonly [readonly string[], readonly string[], object]>([
    [[], [], {}],
    [['--target', 'x'], [], { target: 'x' }],
    [['--target=x=y'], [], { target: 'x=y' }],
    [['--target', '--strange'], [], { target: '--strange' }],
    [['--target='], [], { target: '' }],
    [['--wait-seconds', '2.5', '--offline'], [], { wait_seconds: 2.5, offline: true }],
    [['--no-offline'], [], { offline: false }],
    [['--offline=false'], [], { offline: false }],
    [['--kind', 'a', '--kind=b'], [], { kind: ['a', 'b'] }],
    [['--process', '3', '--process', '-4'], [], { process: [3, -4] }],
    [['--environment', '{"A":"b"}'], [], { environment: { A: 'b' } }],
    [['--target', 'x'], ['sh', '-c', '--help'], { target: 'x', argv: ['sh', '-c', '--help'] }],
  ])('%j and %j', (words, trailing, input) => {
    expect(readFlags(words, trailing, flags)).toEqual({ input, isJson: false, isHelp: false });
  });

  it('has two flags of its own', () => {
    expect(readFlags(['--json', '-h'], [], flags)).toEqual({ input: {}, isJson: true, isHelp: true });
  });

  it.each<readonly [readonly string[], readonly string[], string]>([
    [['x'], [], 'stands alone'],
    [['--'], [], 'stands alone'],
    [['-x'], [], 'stands alone'],
    [['--target'], [], 'the value is missing'],
    [['--targte', 'x'], [], 'unknown option "--targte"'],
    [['--__proto__', 'x'], [], 'unknown option'],
    [['--wait_seconds', '1'], [], 'unknown option'],
    [['--no-target'], [], 'unknown option'],
    [['--target', 'x', '--target', 'y'], [], 'given twice'],
    [['--wait-seconds', 'soon'], [], 'expected a number'],
    [['--wait-seconds', '0x10'], [], 'expected a number'],
    [['--wait-seconds', ''], [], 'expected a number'],
    [['--offline=maybe'], [], 'expected true or false'],
    [['--no-offline=true'], [], 'takes no value'],
    [['--environment', '{'], [], 'expected JSON'],
    [['--argv', 'x'], ['y'], 'give one of them'],
  ])('refuses %j with %j', (words, trailing, message) => {
    expect(() => readFlags(words, trailing, flags)).toThrow(message);
  });

  it('takes a command only where a tool takes one', () => {
    const plain = flags.filter(({ field }) => field !== 'argv');
    expect(() => readFlags([], ['id'], plain)).toThrow('no command after --');
  });

  it('reads or refuses any words, and makes up no field', () => {
    const fields = flags.map(({ field }) => field);
    const names = flags.flatMap(({ flag }) => [flag, `--no-${flag.slice(2)}`, `${flag}=`]);
    const word = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...names, '--json', '-h', '--'), fc.webPath());
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.array(fc.string(), { maxLength: 3 }), (words, trailing) => {
        try {
          const { input } = readFlags(words, trailing, flags);
          for (const field of Object.keys(input)) expect(fields).toContain(field);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

const tools = Object.values(toolsets).flatMap((set) => set.tools.map((tool) => [tool.name, tool] as const));

describe('the flags of every tool', () => {
  it.each(tools)('%s: no flag is that of every command', (_, tool) => {
    const taken = [...settingKeys.map(settingOption), ...shorthands].map((option) => option.flags.split(' ')[0]);
    const own = flagsOf(tool).map(({ flag }) => flag);
    expect(own.filter((flag) => [...taken, '--json', '--help', '--version'].includes(flag))).toEqual([]);
    expect(new Set(own).size).toBe(own.length);
  });

  it.each(tools)('%s: its examples can be typed', (name, tool) => {
    for (const { input } of tool.examples) {
      const line = exampleLine(name, input);
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      expect(readFlags(words.slice(3), [], flagsOf(tool)).input).toEqual(input);
    }
  });
});

describe('quoteWord', () => {
  it.each([
    ['plain-1.2/x', 'plain-1.2/x'],
    ['two words', "'two words'"],
    ["it's", `'it'\\''s'`],
    ['', "''"],
    ['$(id)', "'$(id)'"],
  ])('%j', (word, quoted) => {
    expect(quoteWord(word)).toBe(quoted);
  });
});
