import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { describeError, HostError, UsageError } from '../../base/errors.ts';
import { killGroup } from '../../base/process.ts';
import { checkArgv, checkExec, show } from './checks.ts';
import type { ExecOptions, ExecResult } from './contract.ts';
import { gather } from './gather.ts';
import { makeMark, markName } from './guardian.ts';
import type { Keeper } from './keeper.ts';
import { endGraceMs } from './limits.ts';

export interface LocalPlace {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly keeper: Keeper;
}

const sweepRounds = 3;

/** Finds by its environment what has left the process group, and ends it. */
async function endMarked(mark: string): Promise<void> {
  for (let round = 0; round < sweepRounds; round += 1) {
    const names = await readdir('/proc').catch(() => []);
    const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
    const marked = await Promise.all(
      pids.map(async (pid) => {
        const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined);
        return environment?.includes(`${markName}=${mark}`) ? pid : undefined;
      }),
    );
    const found = marked.filter((pid) => pid !== undefined);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // ESRCH: it ended by itself.
      }
    }
  }
}

/** The codes that a shell gives for a program that cannot be started. */
function explainStart(error: NodeJS.ErrnoException): { readonly code: number; readonly text: string } | undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return { code: 127, text: 'not found' };
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'ENOEXEC') {
    return { code: 126, text: 'cannot be executed' };
  }
  return undefined;
}

async function checkFolder(path: string): Promise<void> {
  try {
    if (!(await stat(path)).isDirectory()) throw new Error('it is no folder');
    await access(path, constants.X_OK);
  } catch (cause) {
    throw new UsageError(`there is no folder to run in at ${show(path)}, or it cannot be entered`, { cause });
  }
}

export async function runLocal(argv: readonly string[], options: ExecOptions, place: LocalPlace): Promise<ExecResult> {
  checkArgv(argv);
  const { maxOutputBytes } = checkExec(options);
  const { timeoutMs, signal, input, cwd = place.home } = options;
  await checkFolder(cwd);
  const startedAt = performance.now();
  const mark = makeMark();
  const stdout = gather(maxOutputBytes, (text) => options.onOutput?.('stdout', text));
  const stderr = gather(maxOutputBytes, (text) => options.onOutput?.('stderr', text));
  let stopped: 'time' | 'cancel' | undefined;

  const finish = (end: { code: number | null; signal: string | null }): ExecResult => {
    stdout.end();
    stderr.end();
    return {
      ...(stopped === undefined ? end : { code: null, signal: end.signal }),
      stdout: stdout.kept(),
      stderr: stderr.kept(),
      droppedStdoutBytes: stdout.droppedBytes,
      droppedStderrBytes: stderr.droppedBytes,
      hasTimedOut: stopped === 'time',
      wasCancelled: stopped === 'cancel',
      elapsedMs: Math.round(performance.now() - startedAt),
    };
  };
  if (signal?.aborted) {
    stopped = 'cancel';
    return finish({ code: null, signal: null });
  }

  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    // A session and a process group of its own.
    detached: true,
    stdio: 'pipe',
    cwd,
    env: { ...place.environment, ...options.environment, [markName]: mark },
  });
  const { pid } = child;
  if (pid !== undefined) place.keeper.watch(pid);
  const endAll = async (): Promise<void> => {
    if (pid !== undefined) killGroup(pid);
    await endMarked(mark);
  };
  const stop = (why: 'time' | 'cancel'): void => {
    if (stopped !== undefined) return;
    stopped = why;
    endAll().catch(() => undefined);
  };
  const timer = setTimeout(() => stop('time'), timeoutMs);
  const cancel = (): void => stop('cancel');
  signal?.addEventListener('abort', cancel, { once: true });
  child.stdout.on('data', (chunk: Buffer) => stdout.take(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.take(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);

  const ended = Promise.withResolvers<{ code: number | null; signal: string | null }>();
  child.once('error', (error: NodeJS.ErrnoException) => {
    const start = explainStart(error);
    if (start === undefined || pid !== undefined) {
      ended.reject(new HostError(`cannot run ${show(program)}: ${describeError(error)}`, { cause: error }));
      return;
    }
    stderr.take(Buffer.from(`${program}: ${start.text}\n`));
    ended.resolve({ code: start.code, signal: null });
  });
  child.once('exit', (code, endSignal) => {
    const end = { code, signal: endSignal };
    child.once('close', () => ended.resolve(end));
    // What it left behind has its pipes open, and would be waited for.
    endAll()
      .then(() => setTimeout(() => ended.resolve(end), endGraceMs).unref())
      .catch(ended.reject);
  });
  try {
    return finish(await ended.promise);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    child.stdout.destroy();
    child.stderr.destroy();
    if (pid !== undefined) place.keeper.release(pid);
  }
}
