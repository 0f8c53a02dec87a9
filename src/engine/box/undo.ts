import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '../../base/errors.ts';
import { hostArchitecture } from '../../base/ffi.ts';
import { toolEnvironment } from '../../base/process.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import { interpreter, nativeFile } from './native-files.ts';

/**
 * What has to be undone when a box ends. Every line is on disk before the thing it undoes exists, and there is one
 * program that undoes: at a normal end, after an error, and when Hotcell itself was killed.
 */

export type UndoLine =
  | readonly ['owner', pid: string, startedAt: string]
  | readonly ['arch', architecture: string]
  | readonly ['cgroup', folder: string]
  | readonly ['user', uid: string]
  | readonly ['process', pid: string, startedAt: string]
  | readonly ['docker', socket: string, container: string]
  | readonly ['umount', folder: string];

const closeTimeoutMs = 60_000;

function encodeField(field: string): string {
  return Buffer.from(field)
    .toString('latin1')
    .replace(/[^A-Za-z0-9/._-]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
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

export class UndoLog {
  readonly #boxFolder: string;
  readonly #file: number;
  #reaper: ChildProcess | null = null;
  #ended: Promise<string> | null = null;

  constructor(boxFolder: string) {
    this.#boxFolder = boxFolder;
    this.#file = openSync(join(boxFolder, 'undo'), 'ax', 0o600);
    this.add(['arch', hostArchitecture()], ['owner', String(process.pid), processStart(process.pid) ?? '0']);
  }

  add(...lines: readonly UndoLine[]): void {
    writeSync(
      this.#file,
      lines.map(([verb, ...fields]) => `${[verb, ...fields.map(encodeField)].join(' ')}\n`).join(''),
    );
  }

  /** From here on somebody else undoes everything if this process dies. */
  watch(): void {
    this.#reaper ??= startReaper([this.#boxFolder]);
    this.#ended ??= collectComplaints(this.#reaper);
  }

  /** Undoes everything, last first, and removes the box's folder. */
  async close(): Promise<void> {
    this.watch();
    this.#reaper?.stdin?.end();
    const timer = setTimeout(() => this.#reaper?.kill('SIGKILL'), closeTimeoutMs);
    const complaints = await this.#ended;
    clearTimeout(timer);
    closeSync(this.#file);
    if (complaints !== '') {
      throw new HostError(`something of the box is left behind: ${forTerminal(untrusted(complaints ?? ''))}`, {
        hint: 'hotcell doctor --clean tries again',
      });
    }
  }
}

/** In a session of its own, so that a Ctrl-C meant for Hotcell does not reach it. */
export function startReaper(args: readonly string[]): ChildProcess {
  return spawn(interpreter, [nativeFile('reaper'), ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...toolEnvironment },
  });
}

export function collectComplaints(reaper: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let complaints = '';
    reaper.stdin?.on('error', () => {
      // EPIPE: it has ended already, and its exit says how.
    });
    reaper.stdout?.on('data', (chunk: Buffer) => {
      if (complaints.length < 4096) complaints += chunk.toString('latin1');
    });
    reaper.once('error', (cause) => reject(new HostError(`cannot run ${interpreter}: ${cause.message}`, { cause })));
    reaper.once('close', (code) => resolve(code === 0 ? '' : complaints.trim() || `the reaper ended with ${code}`));
  });
}
