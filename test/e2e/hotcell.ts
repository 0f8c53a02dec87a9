import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The built program, started the way a user starts it. */

export const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const program = join(repository, 'bin', 'hotcell');

if (!existsSync(join(repository, 'dist', 'doors', 'cli', 'main.js'))) {
  throw new Error('these tests start the built program: npm run build');
}

export interface Place {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing of the caller's environment but what a shell always has. */
export function cleanEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: '/nonexistent', LANG: 'C.UTF-8', ...more };
}

const longestRunMs = 170_000;

export function hotcell(args: readonly string[], place: Place = {}): Ran {
  const { status, stdout, stderr } = spawnSync(program, [...args], {
    cwd: place.cwd ?? '/',
    env: cleanEnvironment(place.environment),
    input: place.input ?? '',
    encoding: 'utf8',
    timeout: longestRunMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, stdout, stderr };
}

/** Started and left running. */
export function startHotcell(args: readonly string[]): ChildProcessByStdio<Writable, Readable, Readable> {
  return startHotcellIn(args, {});
}

/** The same somewhere else. */
export function startHotcellIn(
  args: readonly string[],
  { cwd = '/', environment = {} }: Place,
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(program, [...args], { cwd, env: cleanEnvironment(environment), stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Resolves with everything that came until the text was seen, or the stream ended. */
export async function readUntil(stream: Readable, text: string): Promise<string> {
  let seen = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    seen += String(chunk);
    if (seen.includes(text)) break;
  }
  return seen;
}
