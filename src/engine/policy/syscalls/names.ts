import { guards } from './guards.ts';
import { syscallNumbers } from './numbers.ts';

/** True for the name of a call, or of a guard such as `ioctl(tiocsti)`. */
export function isSyscallName(name: string): boolean {
  return syscallNumbers.has(name) || guards.has(name);
}

export function knownSyscallNames(): readonly string[] {
  return [...guards.keys(), ...syscallNumbers.keys()];
}
