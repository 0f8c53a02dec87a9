import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { HostError, UsageError } from '../../../base/errors.ts';
import { minuteMs } from '../../../base/limits.ts';
import type { Connector, ExecResult } from '../../../engine/connector/contract.ts';
import { hashBytes } from '../samples/hashes.ts';
import {
  type Command,
  type Confinement,
  type Desk,
  type DeskSample,
  deskNames,
  type Made,
  madeLimits,
  type RunOptions,
  type Workbench,
} from './contract.ts';

/** Tools of a place that exists already. A desk is a folder there, removed with everything in it that we put there. */

const stepTimeoutMs = minuteMs;
const listDepth = 8;

function wordsOf(connector: Connector): Confinement {
  if (connector.id === 'local') return { kind: 'none', words: 'this machine itself: no box holds it (--sandbox off)' };
  return { kind: connector.id === 'docker' ? 'container' : 'remote', words: connector.place };
}

function within(signal?: AbortSignal): { timeoutMs: number; signal?: AbortSignal } {
  return { timeoutMs: stepTimeoutMs, ...(signal === undefined ? {} : { signal }) };
}

/** What a tool did to its own folder is no failure of ours. */
function unusable(error: unknown): null {
  if (error instanceof UsageError) return null;
  throw error;
}

class ConnectedDesk implements Desk {
  readonly confinement: Confinement;
  readonly folder: string;
  readonly output: string;
  readonly files: readonly string[];
  readonly #connector: Connector;
  readonly #samples: readonly DeskSample[];

  constructor(connector: Connector, folder: string, files: readonly string[], samples: readonly DeskSample[]) {
    this.#connector = connector;
    this.#samples = samples;
    this.confinement = wordsOf(connector);
    this.folder = folder;
    this.output = posix.join(folder, 'output');
    this.files = files;
  }

  run(command: Command, options: RunOptions): Promise<ExecResult> {
    const there = { ...options, cwd: this.folder };
    if ('argv' in command) return this.#connector.exec(command.argv, there);
    return this.#connector.shell(command.shell, there);
  }

  async made(signal?: AbortSignal): Promise<Made> {
    const files: { name: string; bytes: Buffer }[] = [];
    const notes: string[] = [];
    let total = 0;
    const walk = async (folder: string, depth: number): Promise<void> => {
      const listed = await this.#connector.list(folder, madeLimits.files, signal).catch(unusable);
      if (listed === null) {
        notes.push('a folder of the work was removed or cannot be read');
        return;
      }
      const { entries, hasMore } = listed;
      if (hasMore) notes.push('more files were written than can be listed');
      for (const { name, type, sizeBytes } of entries) {
        const path = posix.join(folder, name);
        if (type === 'folder' && depth < listDepth) await walk(path, depth + 1);
        if (type !== 'file' || (await this.#isUntouched(path, sizeBytes, signal))) continue;
        if (files.length === madeLimits.files || total + sizeBytes > madeLimits.bytes) {
          notes.push('some files that were written are not kept: too many or too large');
          return;
        }
        const got = await this.#connector.get(path, { maxBytes: madeLimits.bytes }).catch(unusable);
        if (got === null) {
          notes.push('a file that was written was removed or cannot be read');
          continue;
        }
        const { content } = got;
        total += content.length;
        files.push({ name: posix.relative(this.folder, path), bytes: content });
      }
    };
    await walk(this.folder, 0);
    return { files, notes };
  }

  /** A copy that a tool has changed is something that it made. Looked at there, so that it does not travel for it. */
  async #isUntouched(path: string, sizeBytes: number, signal?: AbortSignal): Promise<boolean> {
    const sample = this.#samples[this.files.indexOf(path)];
    if (sample === undefined || sample.bytes.length !== sizeBytes) return false;
    const [there, { sha256 }] = await Promise.all([
      this.#connector.exec(['sha256sum', '--', path], within(signal)),
      hashBytes(sample.bytes),
    ]);
    const digest = /^\\?([0-9a-f]{64})\s/.exec(there.stdout.toString('latin1'))?.[1];
    return digest === undefined || digest === sha256;
  }

  async close(): Promise<void> {
    // The name has 128 random bits and was made by us: nothing else can be below it.
    await this.#connector.exec(['rm', '-rf', '--', this.folder], within()).catch(() => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

async function openDesk(connector: Connector, samples: readonly DeskSample[], signal?: AbortSignal): Promise<Desk> {
  const folder = `/tmp/hotcell-desk-${randomBytes(16).toString('hex')}`;
  const output = posix.join(folder, 'output');
  const made = await connector.exec(['mkdir', '-m', '700', '--', folder, output], within(signal));
  if (made.code !== 0) throw new HostError(`no folder for the work could be made: ${connector.place}`);
  const files = deskNames(samples).map((name) => posix.join(folder, name));
  const desk = new ConnectedDesk(connector, folder, files, samples);
  try {
    for (const [at, { bytes }] of samples.entries()) await connector.put(files[at] ?? folder, bytes, { mode: 0o400 });
    return desk;
  } catch (error) {
    await desk.close();
    throw error;
  }
}

/** One question for all programs; the names are data to the loop and never code. */
const lookUp =
  'for name in "$@"; do path=$(command -v -- "$name" 2>/dev/null) && printf "%s\\t%s\\n" "$name" "$(stat -L -c %s-%Y -- "$path" 2>/dev/null)"; done; true';

export function connectedWorkbench(connector: Connector): Workbench {
  return {
    confinement: wordsOf(connector),
    async available(programs, signal) {
      if (programs.length === 0) return new Map();
      const { stdout } = await connector.exec(['/bin/sh', '-c', lookUp, 'sh', ...programs], within(signal));
      const lines = stdout.toString('utf8').split('\n');
      return new Map(
        lines.flatMap((line): [string, string][] => {
          const [name = '', identity = ''] = line.split('\t');
          return programs.includes(name) ? [[name, identity]] : [];
        }),
      );
    },
    open: (samples, signal) => openDesk(connector, samples, signal),
  };
}
