import { hostArchitecture } from '../../../base/ffi.ts';
import { syscallNumbers } from '../../policy/syscalls/numbers.ts';

/** Numbers of calls on this machine. */

/** -1 where it does not have the call. */
export function numberOf(name: string): number {
  return syscallNumbers.get(name)?.[hostArchitecture()] ?? -1;
}

export function byNumber<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<number, T> {
  const numbers = new Map<number, T>();
  for (const [name, value] of entries) {
    const number = numberOf(name);
    if (number !== -1) numbers.set(number, value);
  }
  return numbers;
}
