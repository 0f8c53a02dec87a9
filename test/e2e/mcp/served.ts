import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { cleanEnvironment, program } from '../hotcell.ts';

/** `hotcell mcp --transport http` as a user starts it, until it is stopped. */

export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  /** Lines of its log so far. */
  readonly log: string[];
  /** Everything on stdout, which has to stay empty. */
  stdout(): string;
  /** Asks it to end, and says with what and after how long it did. */
  end(): Promise<{ readonly code: number | null; readonly ms: number }>;
}

const lineSchema = z.object({ event: z.string(), url: z.string().optional() });

export async function serveHttp(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = spawn(program, ['mcp', '--transport', 'http', '--http-port', '0', ...args], {
    cwd: '/',
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.push(line);
      const read = lineSchema.safeParse(line.startsWith('{') ? JSON.parse(line) : null);
      if (read.data?.event === 'serving' && read.data.url !== undefined) resolve(read.data.url);
    });
    void exited.then((code) => reject(new Error(`ended with ${code}: ${log.join('\n')}`)));
  });
  const end = async () => {
    const startedAt = performance.now();
    child.kill('SIGTERM');
    return { code: await exited, ms: performance.now() - startedAt };
  };
  return { url: await ready, process: child, log, stdout: () => stdout, end };
}
