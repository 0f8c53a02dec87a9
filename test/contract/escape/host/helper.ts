import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { toolEnvironment } from '../../../../src/base/process.ts';

/** A small program of the host that does what Node has no call for, and says line by line what happens to it. */
export interface Helper {
  readonly pid: number;
  /** What follows `ready` on its first line. */
  readonly greeting: string;
  /** What happened to it since the last call, everything up to this moment included. */
  takeLines(): Promise<readonly string[]>;
  isAlive(): boolean;
  close(): Promise<void>;
}

const folder = dirname(fileURLToPath(import.meta.url));

export interface HelperOptions {
  readonly user?: number;
  readonly args?: readonly string[];
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startHelper(name: string, options: HelperOptions = {}): Promise<Helper> {
  const { user, args = [], input = '' } = options;
  // Never with the environment of this process: it holds bait that would keep programs from starting.
  const child = spawn('/usr/bin/perl', [join(folder, name), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...toolEnvironment, ...options.environment },
    cwd: '/',
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  const { pid, stdin, stdout } = child;
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  stdin.on('error', () => undefined);
  stdin.write(input);
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const reader = createInterface({ input: stdout });
  const greeting = await Promise.race([
    new Promise<string>((resolve) => {
      reader.on('line', (line) => {
        if (line === 'heard') waiting.shift()?.();
        else if (line.startsWith('ready')) resolve(line.slice(6));
        else lines.push(line);
      });
    }),
    ended.then(() => {
      throw new Error(`${name} ended before it was ready`);
    }),
  ]);
  if (pid === undefined) throw new Error(`${name} did not start`);
  return {
    pid,
    greeting,
    async takeLines() {
      const heard = new Promise<void>((resolve) => waiting.push(resolve));
      stdin.write('?');
      await Promise.race([heard, ended]);
      return lines.splice(0);
    },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async close() {
      stdin.end();
      await ended;
    },
  };
}
