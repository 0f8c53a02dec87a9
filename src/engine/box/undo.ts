import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { HostError } from '../../base/errors.ts';
import { hostArchitecture } from '../../base/ffi.ts';
import { processStart, toolEnvironment } from '../../base/process.ts';
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
  | readonly ['docker', socket: string, container: string]
  | readonly ['umount', folder: string]
  | readonly ['network', file: string];

const closeTimeoutMs = 60_000;
const maxWords = 4096;

function encodeField(field: string): string {
  return Buffer.from(field)
    .toString('latin1')
    .replace(/[^A-Za-z0-9/._-]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

export class UndoLog {
  readonly boxFolder: string;
  readonly #file: number;
  #reaper: Duplex | null = null;
  #words: Promise<string> | null = null;

  constructor(boxFolder: string) {
    this.boxFolder = boxFolder;
    this.#file = openSync(join(boxFolder, 'undo'), 'ax', 0o600);
    this.add(['arch', hostArchitecture()], ['owner', String(process.pid), processStart(process.pid) ?? '0']);
  }

  add(...lines: readonly UndoLine[]): void {
    writeSync(
      this.#file,
      lines.map(([verb, ...fields]) => `${[verb, ...fields.map(encodeField)].join(' ')}\n`).join(''),
    );
  }

  get isWatched(): boolean {
    return this.#reaper !== null;
  }

  /** From here on somebody else undoes everything if this process dies: whoever holds the other end of `reaper`. */
  watch(reaper: Duplex): void {
    this.#reaper = reaper;
    this.#words = collectWords(reaper);
  }

  /** Undoes everything, last first, and removes the box's folder. */
  async close(): Promise<void> {
    if (this.#reaper === null) this.watch(startReaper(this.boxFolder));
    this.#reaper?.end();
    const timer = setTimeout(() => this.#reaper?.destroy(), closeTimeoutMs);
    const words = await this.#words;
    clearTimeout(timer);
    closeSync(this.#file);
    const complaint = complaintIn(words ?? '');
    if (complaint !== null)
      throw new HostError(`something of the box is left behind: ${complaint}`, {
        hint: 'hotcell doctor --clean tries again',
      });
  }
}

/** A reaper of its own, for boxes whose engine is not started by us. Ctrl-C meant for Hotcell does not reach it. */
export function startReaper(boxFolder: string): Duplex {
  const child = spawn(
    interpreter,
    [nativeFile('launch'), `arch=${hostArchitecture()}`, `reaper=3:${boxFolder}`, '--', '/bin/true'],
    {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env: { ...toolEnvironment },
    },
  );
  child.once('error', (cause) =>
    child.stdio[3]?.destroy(new HostError(`cannot run ${interpreter}: ${cause.message}`, { cause })),
  );
  return child.stdio[3] as Duplex;
}

function collectWords(reaper: Duplex): Promise<string> {
  return new Promise((resolve) => {
    let words = '';
    reaper.on('data', (chunk: Buffer) => {
      if (words.length < maxWords) words += chunk.toString('latin1');
    });
    reaper.once('error', (error: Error) => {
      words ||= error.message;
    });
    reaper.once('close', () => resolve(words));
  });
}

/** What a reaper could not undo; null when it undid everything. */
function complaintIn(words: string): string | null {
  if (words.trim() === 'clean') return null;
  return forTerminal(untrusted(words.trim() || 'the reaper ended without a word'));
}

/** Undoes the list of a box whose owner is gone. */
export async function undoLeftover(boxFolder: string): Promise<string | null> {
  const reaper = startReaper(boxFolder);
  const words = collectWords(reaper);
  reaper.end();
  return complaintIn(await words);
}
