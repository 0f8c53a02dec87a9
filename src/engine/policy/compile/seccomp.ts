import type { Policy } from '../../../base/policy-schema.ts';
import type { Compiled } from '../gap.ts';
import type { Condition, Guard } from '../syscalls/guards.ts';
import { highestSyscall, syscallNumbers } from '../syscalls/numbers.ts';
import { actions, answer, type Branch, codes, dataOffsets, encode, type Instruction, searchTree, step } from './bpf.ts';
import { type Denials, denialsOf, errnoOf, errnos, type FilterOptions } from './denials.ts';
import { type OciSeccomp, seccompForOci } from './seccomp-oci.ts';

/** The system call filter, as a program for the kernel and as the list that OCI runtimes read. */

export interface SeccompFilter {
  /** `sock_filter[]`, 8 bytes each. */
  readonly program: Uint8Array;
  readonly instructions: number;
  readonly oci: OciSeccomp;
}

const architectures = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;

/** The x32 interface: the same calls under other numbers, which would pass by every comparison below. */
const x32Bit = 0x4000_0000;
const noCall = 0xffff_ffff;

/** Falls through when the condition holds, jumps `otherwise` instructions further when it does not. */
function checkCondition({ argument, is, mask, value }: Condition, otherwise: number): readonly Instruction[] {
  const load = step(codes.loadWord, dataOffsets.argument(argument));
  const masked = mask === 0xffff_ffff ? [load] : [load, step(codes.and, mask)];
  if (is === 'different') return [...masked, step(codes.jumpIfEqual, value, otherwise, 0)];
  const code = is === 'equal' ? codes.jumpIfEqual : codes.jumpIfGreater;
  return [...masked, step(code, value, 0, otherwise)];
}

function guardBody(list: readonly Guard[]): readonly Instruction[] {
  const body: Instruction[] = [];
  for (const alternative of list.flatMap(({ alternatives }) => alternatives)) {
    // Built from the end, because each check has to know how far the next alternative is.
    let block: readonly Instruction[] = [answer(actions.fail(errnos.EPERM))];
    for (const condition of alternative.toReversed()) block = [...checkCondition(condition, block.length), ...block];
    body.push(...block);
  }
  return [...body, answer(actions.allow)];
}

function bodiesByNumber(
  { calls, guarded }: Denials,
  architecture: FilterOptions['architecture'],
): Map<number, readonly Instruction[]> {
  const bodies = new Map<number, readonly Instruction[]>();
  const add = (call: string, body: readonly Instruction[]): void => {
    const number = syscallNumbers.get(call)?.[architecture];
    // A call that this architecture does not have cannot be made.
    if (number !== undefined && number !== null) bodies.set(number, body);
  };
  for (const call of calls) add(call, [answer(actions.fail(errnoOf(call)))]);
  for (const [call, list] of guarded) add(call, guardBody(list));
  return bodies;
}

/** Runs of numbers with the same short answer share one branch. */
function branchesOf(bodies: ReadonlyMap<number, readonly Instruction[]>): readonly Branch[] {
  const allowed = [answer(actions.allow)];
  const branches: Branch[] = [];
  const add = (from: number, body: readonly Instruction[]): void => {
    const last = branches.at(-1);
    const isSame = last?.body.length === 1 && body.length === 1 && last.body[0]?.constant === body[0]?.constant;
    if (!isSame) branches.push({ from, body });
  };
  for (let number = 0; number <= highestSyscall; number += 1) add(number, bodies.get(number) ?? allowed);
  // Newer than the table: nobody has judged it yet, and programs fall back when a kernel lacks it.
  add(highestSyscall + 1, [answer(actions.fail(errnos.ENOSYS))]);
  return branches;
}

function assemble(denials: Denials, architecture: FilterOptions['architecture']): readonly Instruction[] {
  const foreignInterface = [
    step(codes.jumpIfGreaterOrEqual, x32Bit, 0, 2),
    step(codes.jumpIfEqual, noCall, 1, 0),
    answer(actions.killProcess),
  ];
  return [
    step(codes.loadWord, dataOffsets.architecture),
    step(codes.jumpIfEqual, architectures[architecture], 1, 0),
    answer(actions.killProcess),
    step(codes.loadWord, dataOffsets.number),
    ...(architecture === 'x64' ? foreignInterface : []),
    ...searchTree(branchesOf(bodiesByNumber(denials, architecture))),
  ];
}

export function compileSeccomp(policy: Policy, options: FilterOptions): Compiled<SeccompFilter> {
  const denials = denialsOf(policy, options);
  const instructions = assemble(denials, options.architecture);
  return {
    value: {
      program: encode(instructions),
      instructions: instructions.length,
      oci: seccompForOci(denials, options.architecture),
    },
    gaps: [],
  };
}
