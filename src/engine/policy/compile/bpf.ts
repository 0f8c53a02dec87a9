/**
 * A small assembler for classic BPF, the language of seccomp filters. One instruction:
 *
 *     code u16 | jump if true u8 | jump if false u8 | constant u32        little-endian, 8 bytes
 */

export interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly constant: number;
}

export const codes = {
  loadWord: 0x20,
  and: 0x54,
  jump: 0x05,
  jumpIfEqual: 0x15,
  jumpIfGreater: 0x25,
  jumpIfGreaterOrEqual: 0x35,
  return: 0x06,
} as const;

/** Offsets in the data a filter sees: number, architecture, instruction pointer, six arguments of 64 bits. */
export const dataOffsets = {
  number: 0,
  architecture: 4,
  /** Lower half of an argument. */
  argument: (index: number): number => 16 + 8 * index,
} as const;

export const actions = {
  allow: 0x7fff_0000,
  killProcess: 0x8000_0000,
  fail: (errno: number): number => 0x0005_0000 + errno,
} as const;

/** A conditional jump reaches no further than this. */
export const farthestBranch = 255;

export function step(code: number, constant: number, ifTrue = 0, ifFalse = 0): Instruction {
  return { code, ifTrue, ifFalse, constant: constant >>> 0 };
}

export function answer(action: number): Instruction {
  return step(codes.return, action);
}

/** One answer for all numbers from `from` up to the next branch. */
export interface Branch {
  readonly from: number;
  readonly body: readonly Instruction[];
}

/** A binary search: about eight comparisons for any call, however long the list is. Every body ends in an answer. */
export function searchTree(branches: readonly Branch[]): readonly Instruction[] {
  const middle = Math.floor(branches.length / 2);
  const pivot = branches[middle];
  if (pivot === undefined || branches.length === 1) return branches[0]?.body ?? [answer(actions.allow)];
  const below = searchTree(branches.slice(0, middle));
  const above = searchTree(branches.slice(middle));
  if (below.length <= farthestBranch) {
    return [step(codes.jumpIfGreaterOrEqual, pivot.from, below.length, 0), ...below, ...above];
  }
  const far = [step(codes.jumpIfGreaterOrEqual, pivot.from, 0, 1), step(codes.jump, below.length)];
  return [...far, ...below, ...above];
}

export function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(({ code, ifTrue, ifFalse, constant }, at) => {
    view.setUint16(at * 8, code, true);
    view.setUint8(at * 8 + 2, ifTrue);
    view.setUint8(at * 8 + 3, ifFalse);
    view.setUint32(at * 8 + 4, constant, true);
  });
  return bytes;
}
