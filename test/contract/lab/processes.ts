import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

/** Processes of this machine by a word of their command line, those in boxes and of the sshd of the test included. */
export function findProcesses(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Everything that this process has started, and what that has started. */
export function findDescendants(): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const [state = '', parent = ''] =
        readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
      if (state !== 'Z') parents.set(Number(name), Number(parent));
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => {
    for (let at = parents.get(pid), depth = 0; at !== undefined && depth < 64; at = parents.get(at), depth += 1) {
      if (at === process.pid) return true;
    }
    return false;
  };
  return [...parents.keys()].filter(isOurs);
}

/** A moment is granted: a signal that ends is taken at the next chance, not at once. */
export async function expectNone(word: string): Promise<void> {
  for (let round = 0; round < 30 && findProcesses(word).length > 0; round += 1) await sleep(100);
  expect(findProcesses(word)).toEqual([]);
}

export async function untilSome(word: string, count = 1): Promise<void> {
  for (let round = 0; round < 200 && findProcesses(word).length < count; round += 1) await sleep(50);
  expect(findProcesses(word).length).toBeGreaterThanOrEqual(count);
}
