import type { Architecture } from '../../../base/ffi.ts';
import {
  actions,
  answer,
  type Branch,
  codes,
  dataOffsets,
  encode,
  type Instruction,
  searchTree,
  step,
} from '../../policy/compile/bpf.ts';
import { syscallNumbers } from '../../policy/syscalls/numbers.ts';
import { endCall, watchedCalls } from './calls.ts';

/**
 * The filter that reports. It refuses nothing: what the policy's own filter refuses never gets here, and calls through
 * another interface are that filter's business too.
 */

export const notifyAction = 0x7fc0_0000;
const architectures = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;

const notify = [answer(notifyAction)];
const allow = [answer(actions.allow)];
const upperHalf = 4;
const destination = 4;

/** Only where a destination is given: everything else is plain writing to a socket. */
const notifyWithDestination: readonly Instruction[] = [
  step(codes.loadWord, dataOffsets.argument(destination)),
  step(codes.jumpIfEqual, 0, 0, 2),
  step(codes.loadWord, dataOffsets.argument(destination) + upperHalf),
  step(codes.jumpIfEqual, 0, 1, 0),
  ...notify,
  ...allow,
];

/** What a filter does with a call, by number. */
function bodies(architecture: Architecture): Map<number, readonly Instruction[]> {
  const byNumber = new Map<number, readonly Instruction[]>();
  for (const call of [...watchedCalls.keys(), endCall]) {
    const number = syscallNumbers.get(call)?.[architecture] ?? null;
    if (number !== null) byNumber.set(number, call === 'sendto' ? notifyWithDestination : notify);
  }
  return byNumber;
}

function branchesOf(byNumber: ReadonlyMap<number, readonly Instruction[]>): readonly Branch[] {
  const branches: Branch[] = [];
  const add = (from: number, body: readonly Instruction[]): void => {
    if (branches.at(-1)?.body !== body) branches.push({ from, body });
  };
  const last = Math.max(...byNumber.keys()) + 1;
  // The last branch, which is allowed, has no end: the numbers of other interfaces lie in it.
  for (let number = 0; number <= last; number += 1) add(number, byNumber.get(number) ?? allow);
  return branches;
}

/** `sock_filter[]`. */
export function compileNotifyFilter(architecture: Architecture): Uint8Array {
  return encode([
    step(codes.loadWord, dataOffsets.architecture),
    step(codes.jumpIfEqual, architectures[architecture], 1, 0),
    ...allow,
    step(codes.loadWord, dataOffsets.number),
    ...searchTree(branchesOf(bodies(architecture))),
  ]);
}
