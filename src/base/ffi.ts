import koffi from 'koffi';
import { HostError } from './errors.ts';

/**
 * Plain system calls for the few things Node has no function for. Numbers differ by architecture;
 * those above 400 are the same everywhere.
 */

export type Architecture = 'x64' | 'arm64';

const numbers = {
  seccomp: { x64: 317, arm64: 277 },
  umount2: { x64: 166, arm64: 39 },
  mount: { x64: 165, arm64: 40 },
  close: { x64: 3, arm64: 57 },
  flock: { x64: 73, arm64: 32 },
  setsockopt: { x64: 54, arm64: 208 },
  pidfd_open: { x64: 434, arm64: 434 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  landlock_create_ruleset: { x64: 444, arm64: 444 },
  landlock_add_rule: { x64: 445, arm64: 445 },
} as const;

export type SyscallName = keyof typeof numbers;

/** A pointer argument is a Buffer (or null), a number is passed as a 64-bit integer. */
export type SyscallArgument = number | bigint | Buffer | string | null;

export interface SyscallResult {
  readonly value: number;
  /** 0 when the call succeeded. */
  readonly errno: number;
}

export type CallSystem = (name: SyscallName, ...args: readonly SyscallArgument[]) => SyscallResult;

export function hostArchitecture(): Architecture {
  if (process.arch === 'x64' || process.arch === 'arm64') return process.arch;
  throw new HostError(`this machine's architecture is ${process.arch}`, { hint: 'Hotcell runs on x64 and arm64' });
}

const callLibrary = koffi.load(null).func('long syscall(long number, ...)') as (...args: unknown[]) => number | bigint;

function typed(argument: SyscallArgument): readonly unknown[] {
  if (argument === null || Buffer.isBuffer(argument)) return ['void *', argument];
  return [typeof argument === 'string' ? 'str' : 'long', argument];
}

/** Makes a system call on the calling thread. */
export const callSystem: CallSystem = (name, ...args) => {
  const value = Number(callLibrary(numbers[name][hostArchitecture()], ...args.flatMap(typed)));
  return { value, errno: value === -1 ? koffi.errno() : 0 };
};
