import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { type EventWishes, readFilter, readLimit } from './query.ts';

const nothing: EventWishes = { kind: [], pid: [], call: [], phase: [], tree: false, json: false };

describe('what is asked for', () => {
  it('takes lists with commas and options given twice', () => {
    const wishes = {
      ...nothing,
      kind: ['open,exec', 'leak'],
      pid: ['7', '8,9'],
      phase: ['use'],
      call: ['a,b'],
      path: 'x',
    };
    expect(readFilter(wishes)).toEqual({
      kinds: ['open', 'exec', 'leak'],
      pids: [7, 8, 9],
      calls: ['a,b'],
      phases: ['use'],
      path: 'x',
    });
    expect(readLimit(nothing)).toBeNull();
    expect(readLimit({ ...nothing, limit: '12' })).toBe(12);
  });

  const refused: readonly [string, Partial<EventWishes>, RegExp, RegExp | undefined][] = [
    [
      'a kind',
      { kind: ['conect'] },
      /^--kind "conect": expected one of fork, exec, .*leak, /,
      /did you mean connect\?/,
    ],
    ['a kind like no other', { kind: ['zzzzzzzzzz'] }, /expected one of/, undefined],
    ['an empty kind', { kind: ['open,'] }, /--kind "": expected one of/, undefined],
    ['a phase', { phase: ['instal'] }, /expected one of install, start/, /did you mean install\?/],
    ['a pid', { pid: ['x'] }, /--pid "x": expected a whole number, 0 to 4194304/, undefined],
    ['a pid below zero', { pid: ['-1'] }, /expected a whole number/, undefined],
    ['a pid that is too large', { pid: ['4194305'] }, /expected a whole number/, undefined],
    ['no limit', { limit: '0' }, /--limit "0": expected a whole number, 1 to/, undefined],
    ['a limit with a unit', { limit: '1k' }, /--limit/, undefined],
  ];
  it.each(refused)('refuses %s', (_, change, message, hint) => {
    let error: unknown;
    try {
      readFilter({ ...nothing, ...change });
      readLimit({ ...nothing, ...change });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(message);
    if (hint === undefined) expect((error as UsageError).hint).toBeUndefined();
    else expect((error as UsageError).hint).toMatch(hint);
  });
});
