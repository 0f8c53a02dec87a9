import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { killGroup } from '../../base/process.ts';
import { openKeeper } from './keeper.ts';

function sleeper(): { readonly pid: number; readonly ended: Promise<unknown[]> } {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  if (child.pid === undefined) throw new Error('no sleep');
  return { pid: child.pid, ended: once(child, 'exit') };
}

describe('the keeper', () => {
  it('ends what is still watched when its pipe ends, and nothing else', async () => {
    const keeper = openKeeper();
    const [watched, released, other] = [sleeper(), sleeper(), sleeper()];
    try {
      for (const { pid } of [watched, released, other]) keeper.watch(pid);
      keeper.release(released.pid);
      keeper.close();
      expect(await Promise.all([watched.ended, other.ended])).toEqual([
        [null, 'SIGKILL'],
        [null, 'SIGKILL'],
      ]);
      expect(() => process.kill(released.pid, 0)).not.toThrow();
    } finally {
      killGroup(released.pid);
      await released.ended;
    }
  });
});
