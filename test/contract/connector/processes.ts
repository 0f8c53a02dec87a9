import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Connector, ExecResult } from '../../../src/engine/connector/index.ts';

/** A shell, a child, a grandchild and, where the place has the means, one in a session of its own. None heeds the signal to end. */
export const leaveStubborn = `
trap '' TERM HUP INT
(trap '' TERM HUP INT; (sleep 301 & echo $!; wait) & echo $!; wait) &
first=$!
if command -v setsid >/dev/null; then setsid sh -c 'trap "" TERM HUP; echo $$; sleep 302' & fi
sleep 0.3
echo $$ $first
wait`;

/** For `onOutput`: settled when all of the family have told their numbers. */
export function watchFamily(): {
  readonly whole: Promise<string>;
  readonly onOutput: (stream: string, text: string) => void;
} {
  const { promise: whole, resolve } = Promise.withResolvers<string>();
  let told = '';
  const onOutput = (_: string, text: string): void => {
    told += text;
    if (/^\d+ \d+\n/m.test(told)) resolve(told);
  };
  return { whole, onOutput };
}

export function readPids({ stdout }: Pick<ExecResult, 'stdout'>): readonly number[] {
  return stdout
    .toString()
    .trim()
    .split(/\s+/)
    .filter((one) => one !== '')
    .map(Number);
}

const findLiving = `
for one do
  if read -r _ _ state _ <"/proc/$one/stat"; then
    case $state in Z | X) ;; *) echo "$one" ;; esac
  fi
done 2>/dev/null`;

/** A moment is granted: a signal that ends is taken at the next chance, not at once. */
export async function expectGone(at: Connector, pids: readonly number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  let living = '';
  for (let round = 0; round < 20; round += 1) {
    const argv = ['/bin/sh', '-c', findLiving, 'x', ...pids.map(String)];
    const { stdout } = await at.exec(argv, { timeoutMs: 10_000 });
    living = stdout.toString();
    if (living === '') return;
    await sleep(100);
  }
  expect(living).toBe('');
}
