import type { Condition } from '../syscalls/guards.ts';
import { syscallNumbers } from '../syscalls/numbers.ts';
import { type Denials, errnoOf, errnos, type FilterOptions } from './denials.ts';

/** The filter as the OCI runtime specification writes it (`linux.seccomp`); docker reads the same form. */

export interface OciSyscallArgument {
  readonly index: number;
  readonly value: number;
  readonly valueTwo?: number;
  readonly op: 'SCMP_CMP_MASKED_EQ' | 'SCMP_CMP_NE' | 'SCMP_CMP_GT';
}

export interface OciSyscallRule {
  readonly names: readonly string[];
  readonly action: 'SCMP_ACT_ERRNO';
  readonly errnoRet: number;
  readonly args?: readonly OciSyscallArgument[];
}

export interface OciSeccomp {
  readonly defaultAction: 'SCMP_ACT_ALLOW';
  readonly architectures: readonly string[];
  readonly syscalls: readonly OciSyscallRule[];
}

const architectureNames = { x64: 'SCMP_ARCH_X86_64', arm64: 'SCMP_ARCH_AARCH64' } as const;

/** There `value` is the mask of a masked comparison. The other two compare 64 bits: upper bits only make them stricter. */
function argumentOf({ argument, is, mask, value }: Condition): OciSyscallArgument {
  if (is === 'equal') return { index: argument, value: mask, valueTwo: value, op: 'SCMP_CMP_MASKED_EQ' };
  return { index: argument, value, op: is === 'different' ? 'SCMP_CMP_NE' : 'SCMP_CMP_GT' };
}

export function seccompForOci({ calls, guarded }: Denials, architecture: FilterOptions['architecture']): OciSeccomp {
  const exists = (call: string): boolean => typeof syscallNumbers.get(call)?.[architecture] === 'number';
  const whole = [errnos.EPERM, errnos.ENOSYS].map((errnoRet) => ({
    names: Array.from(calls)
      .filter((call) => exists(call) && errnoOf(call) === errnoRet)
      .sort(),
    action: 'SCMP_ACT_ERRNO' as const,
    errnoRet,
  }));
  const partly = Array.from(guarded).flatMap(([call, list]) =>
    list.flatMap(({ alternatives }) =>
      alternatives.map((conditions) => ({
        names: [call],
        action: 'SCMP_ACT_ERRNO' as const,
        errnoRet: errnos.EPERM,
        args: conditions.map(argumentOf),
      })),
    ),
  );
  return {
    defaultAction: 'SCMP_ACT_ALLOW',
    architectures: [architectureNames[architecture]],
    syscalls: [...whole.filter(({ names }) => names.length > 0), ...partly],
  };
}
