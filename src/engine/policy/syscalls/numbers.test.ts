import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guards } from './guards.ts';
import { isSyscallName, knownSyscallNames } from './names.ts';
import { highestSyscall, syscallNumbers } from './numbers.ts';

/** The kernel's own list where this machine has its headers. */
const headers = [
  { architecture: 'x64', path: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h' },
  { architecture: 'arm64', path: '/usr/include/asm-generic/unistd.h' },
] as const;

/** Reads `#define __NR_name 12`, and in the generic header also names that stand for another. */
function readHeader(path: string): Map<string, number> {
  const defined = new Map<string, string>();
  for (const [, name = '', value = ''] of readFileSync(path, 'utf8').matchAll(/^#define __NR(\w*) (\S+)$/gm))
    defined.set(name, value);
  const numbers = new Map<string, number>();
  for (const [name, value] of defined) {
    const number = Number(defined.get(value.replace(/^__NR/, '')) ?? value);
    if (name.startsWith('_') && Number.isInteger(number)) numbers.set(name.slice(1), number);
  }
  return numbers;
}

/** Names in the generic header that are no calls of 64-bit machines, or that mark the end of the list. */
const notCalls =
  /^(syscalls|arch_specific_syscall|.*(64|_time64)|sync_file_range2|truncate|ftruncate|sendfile|fcntl|lseek|mmap|statfs|fstatfs|fstatat|fstat|fadvise64|llseek|mmap2)$/;

describe('the table of system calls', () => {
  for (const { architecture, path } of headers) {
    it.skipIf(!existsSync(path))(`is the same as ${path} (skipped without that file)`, () => {
      const header = readHeader(path);
      expect(header.size).toBeGreaterThan(250);
      const wrong = Array.from(syscallNumbers).filter(([name, numbers]) => {
        const number = header.get(name);
        return (
          number !== undefined && !(architecture === 'arm64' && notCalls.test(name)) && numbers[architecture] !== number
        );
      });
      expect(wrong).toEqual([]);
      const missing = Array.from(header.keys()).filter((name) => !notCalls.test(name) && !syscallNumbers.has(name));
      expect(missing).toEqual([]);
    });
  }

  it.each([
    ['read', 0, 63],
    ['clone', 56, 220],
    ['socket', 41, 198],
    ['bpf', 321, 280],
    ['ptrace', 101, 117],
    ['open', 2, null],
    ['mmap', 9, 222],
    ['fstat', 5, 80],
    ['io_uring_setup', 425, 425],
    ['clone3', 435, 435],
    ['landlock_restrict_self', 446, 446],
  ])('%s is %i and %s', (name, x64, arm64) => {
    expect(syscallNumbers.get(name)).toEqual({ x64, arm64 });
  });

  it.each(['x64', 'arm64'] as const)('has no number twice on %s', (architecture) => {
    const numbers = Array.from(syscallNumbers.values(), (each) => each[architecture]).filter(
      (number) => number !== null,
    );
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.max(...numbers)).toBe(highestSyscall);
  });
});

describe('guards', () => {
  it.each(Array.from(guards))('%s is about a call that exists, and looks at no argument twice', (name, guard) => {
    expect(name.startsWith(`${guard.call}(`)).toBe(true);
    expect([guard.call, ...(guard.also ?? [])].filter((call) => !syscallNumbers.has(call))).toEqual([]);
    for (const conditions of guard.alternatives) {
      expect(conditions.length).toBeGreaterThan(0);
      expect(new Set(conditions.map(({ argument }) => argument)).size).toBe(conditions.length);
    }
  });

  it('are known by name beside the calls', () => {
    expect(isSyscallName('socket(raw)')).toBe(true);
    expect(isSyscallName('socket(rare)')).toBe(false);
    expect(knownSyscallNames()).toContain('openat2');
  });
});
