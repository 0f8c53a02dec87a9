import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  actions,
  answer,
  type Branch,
  codes,
  encode,
  farthestBranch,
  type Instruction,
  searchTree,
  step,
} from './bpf.ts';

/** Follows a tree for one number; only the instructions that a tree is made of. */
function follow(program: readonly Instruction[], number: number): number {
  for (let at = 0; at < program.length; ) {
    const { code, constant, ifTrue, ifFalse } = program[at] ?? answer(0);
    if (code === codes.return) return constant;
    if (code === codes.jump) at += 1 + constant;
    else if (code === codes.jumpIfGreaterOrEqual) at += 1 + (number >= constant ? ifTrue : ifFalse);
    else at += 1;
  }
  throw new Error('fell off the end');
}

/** A body of a given length that answers its own number. */
function branch(from: number, length: number): Branch {
  const padding = Array.from({ length: length - 1 }, () => step(codes.loadWord, 0));
  return { from, body: [...padding, answer(actions.fail(from % 4096))] };
}

describe('searchTree', () => {
  it.each([
    [1, 1],
    [2, 1],
    [400, 1],
    [3, 200],
    [2, 255],
    [2, 256],
    [2, 300],
    [50, 90],
  ])('finds each of %i branches of %i instructions', (count, length) => {
    const branches = Array.from({ length: count }, (_, at) => branch(at * 3, length));
    const program = searchTree(branches);
    expect(program.every(({ ifTrue, ifFalse }) => ifTrue <= farthestBranch && ifFalse <= farthestBranch)).toBe(true);
    for (let number = 0; number < count * 3; number += 1) {
      expect(follow(program, number)).toBe(actions.fail(number - (number % 3)));
    }
  });

  it('allows everything without branches', () => {
    expect(searchTree([])).toEqual([answer(actions.allow)]);
  });

  it('finds branches of any length', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
        fc.nat({ max: 200 }),
        (lengths, number) => {
          const branches = lengths.map((length, at) => branch(at * 10, length));
          const expected = Math.min(Math.floor(number / 10), lengths.length - 1) * 10;
          expect(follow(searchTree(branches), number)).toBe(actions.fail(expected));
        },
      ),
    );
  });
});

describe('encode', () => {
  it('writes eight little-endian bytes per instruction', () => {
    expect(Array.from(encode([step(codes.jumpIfEqual, 0xc000003e, 1, 2)]))).toEqual([0x15, 0, 1, 2, 0x3e, 0, 0, 0xc0]);
    expect(Array.from(encode([answer(actions.killProcess)]))).toEqual([6, 0, 0, 0, 0, 0, 0, 0x80]);
  });
});
