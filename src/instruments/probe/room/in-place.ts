import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import { killGroup, toolEnvironment } from '../../../base/process.ts';
import { readRegularFile } from '../../../base/regular-file.ts';
import type { OpenRoom, RoomOptions, RoomRun, RunEnd } from './contract.ts';
import { auditorProgram } from './own-program.ts';
import { type Running, supervise } from './supervise.ts';

/**
 * A scanner as a plain process group, for a container that is thrown away and whose network the host restricts
 * (`hotcell probe egress`). Nothing here can see or stop where it connects to, and the result says so.
 */

const outputFileBytes = 64 * mebibyte;

function start(argv: readonly string[], cwd: string, environment: Readonly<Record<string, string>>): Running {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...toolEnvironment, HOME: cwd, TMPDIR: cwd, ...environment },
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) killGroup(child.pid, signal);
  };
  const exited = new Promise<{ code: number | null; notes: readonly string[] }>((resolve, reject) => {
    child.once('error', (cause) => reject(new HostError(`cannot run ${program}: ${cause.message}`, { cause })));
    child.once('exit', (code, signal) => {
      // What it started in its group ends with it.
      kill('SIGKILL');
      resolve({ code, notes: signal === null ? [] : [`it was ended by ${signal}`] });
    });
  });
  return { stdout: child.stdout, stderr: child.stderr, exited, kill };
}

/** Of a program's own making: a link would have us read something else. */
async function readOutput(path: string): Promise<Buffer | null> {
  const read = readRegularFile(path, { mostBytes: outputFileBytes, links: 'refused' });
  return await read.then(({ bytes }) => bytes).catch(() => null);
}

export function roomsInPlace(): OpenRoom {
  return async ({ folder }: RoomOptions) => {
    const work = await mkdtemp(join(tmpdir(), 'hotcell-probe-'));
    return {
      paths: { work, auditors: auditorProgram() },
      async run(run: RoomRun): Promise<RunEnd> {
        await mkdir(folder, { recursive: true });
        for (const { name, content } of run.files) await writeFile(join(work, name), content);
        run.signal.throwIfAborted();
        const rawFile = join(folder, 'raw.txt');
        const ended = await supervise(start(run.argv, work, run.environment), { ...run, rawFile });
        const outputFile = run.outputFile === undefined ? null : await readOutput(join(work, run.outputFile));
        return { ...ended, outputFile, rawFile };
      },
      async close() {
        await rm(work, { recursive: true, force: true });
        return { by: 'outside', connections: null, requests: null, refused: [], capture: null, isComplete: false };
      },
    };
  };
}
