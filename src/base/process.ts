import { type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { HostError } from './errors.ts';
import { forTerminal, untrusted } from './untrusted.ts';

/** Runs one program of the host (never a target) to its end: bounded in time and output, ended as a group. */

export interface RunOptions {
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface RunResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly hasTimedOut: boolean;
  readonly droppedBytes: number;
}

interface Collected {
  readonly chunks: Buffer[];
  dropped: number;
}

function collect(stream: Readable, capBytes: number): Collected {
  const collected: Collected = { chunks: [], dropped: 0 };
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, Math.max(0, capBytes - size));
    if (kept.length > 0) collected.chunks.push(kept);
    size += kept.length;
    collected.dropped += chunk.length - kept.length;
  });
  return collected;
}

/** Ends a whole process group; one that is gone already is fine. */
export function killGroup(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: it ended by itself.
  }
}

/** When a process started, in clock ticks since boot: with the pid it names one process for ever. Null if it is gone. */
export function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** A small, fixed environment: what a host tool finds is not decided by the caller's variables. */
export const toolEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

export function runTool(file: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { timeoutMs = 30_000, maxOutputBytes = 1024 * 1024 } = options;
  const settings: SpawnOptions = {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...toolEnvironment, ...options.environment },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  };
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args], settings);
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      if (child.pid !== undefined) killGroup(child.pid);
    }, timeoutMs);
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(new HostError(`cannot run ${file}: ${cause.message}`, { cause }));
    });
    if (child.stdout === null || child.stderr === null || child.stdin === null) {
      throw new HostError(`cannot run ${file}: no pipes`);
    }
    const stdout = collect(child.stdout, maxOutputBytes);
    const stderr = collect(child.stderr, maxOutputBytes);
    child.stdin.on('error', () => {
      // EPIPE: the tool did not want its input.
    });
    child.stdin.end(options.input);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({
        code,
        signal,
        stdout: Buffer.concat(stdout.chunks),
        stderr: Buffer.concat(stderr.chunks),
        hasTimedOut,
        droppedBytes: stdout.dropped + stderr.dropped,
      });
    });
  });
}

/** Like runTool, and anything but exit 0 is a HostError with the end of stderr. */
export async function runToolOrFail(
  file: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const result = await runTool(file, args, options);
  if (result.code === 0) return result;
  const ended = result.hasTimedOut ? 'did not end in time' : `ended with ${result.code ?? result.signal}`;
  const tail = forTerminal(untrusted(result.stderr.subarray(-600)));
  throw new HostError(`${file} ${args.slice(0, 3).join(' ')} ${ended}: ${tail}`);
}
