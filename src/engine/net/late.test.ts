import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { late } from './late.ts';

/** The whole process stands still, and its loop with it. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

it('is not what a busy loop hears first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-late-'));
  const said = join(folder, 'said');
  const program = `process.send('here', () => require('node:fs').writeFileSync(process.argv[1], ''));
    process.once('message', () => process.exit());`;
  const child = spawn(process.execPath, ['--eval', program, said], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    const heard = once(child, 'message').then(([message]) => message as string);
    const clock = late(50);
    for (let turn = 0; !existsSync(said) && turn < 500; turn += 1) standStill(100);
    expect(await Promise.race([heard, clock.promise])).toBe('here');
    clock.clear();
    child.send('go');
    await once(child, 'exit');
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

it('comes when nobody answers', async () => {
  expect(await late(10).promise).toBe('late');
});
