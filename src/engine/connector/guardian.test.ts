import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { guard, makeMark } from './guardian.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-guardian-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the scripts need, and one means to begin a session. */
function programs(means: string): string {
  const path = mkdtempSync(join(folder, 'programs-'));
  for (const name of ['cat', 'head', 'sleep', 'tr', means]) {
    if (existsSync(`/usr/bin/${name}`)) symlinkSync(`/usr/bin/${name}`, join(path, name));
  }
  return path;
}

function begin(means: string, line: string) {
  const argv = ['/bin/sh', '-c', line];
  const command = guard({ argv, mark: makeMark(), inputBytes: 0, timeoutMs: 60_000, cwd: '/', environment: [] });
  return spawn(command[0] ?? '', command.slice(1), {
    env: { PATH: programs(means) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** State and session. */
function look(pid: string): readonly string[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return [fields[0] ?? '', fields[3] ?? ''];
  } catch {
    return ['gone', ''];
  }
}

describe.each(['setsid', 'perl', 'python3', 'none'])('a guarded command, by %s', (means) => {
  it.skipIf(means !== 'none' && !existsSync(`/usr/bin/${means}`))(
    'ends with everything it began when its input ends',
    async () => {
      const child = begin(means, "trap '' TERM HUP; (trap '' TERM HUP; sleep 60 & echo $!; wait) & echo $$; wait");
      let told = '';
      child.stdout.on('data', (chunk: Buffer) => {
        told += chunk.toString();
      });
      for (let round = 0; round < 100 && told.split('\n').length < 3; round += 1) await sleep(50);
      const pids = told.trim().split('\n');
      expect(pids.length).toBe(2);
      const own = look(String(child.pid))[1];
      expect(pids.map((pid) => look(pid)[1] !== own)).toEqual(means === 'none' ? [false, false] : [true, true]);
      child.stdin.end();
      await once(child, 'close');
      for (let round = 0; round < 40 && pids.some((pid) => !'Zgone'.includes(look(pid)[0] ?? '')); round += 1)
        await sleep(50);
      expect(pids.map((pid) => 'Zgone'.includes(look(pid)[0] ?? ''))).toEqual([true, true]);
    },
  );

  it.skipIf(means !== 'none' && !existsSync(`/usr/bin/${means}`))('ends by itself with its own code', async () => {
    const child = begin(means, 'sleep 60 & exit 7');
    const [code] = await once(child, 'exit');
    expect(code).toBe(7);
  });
});
