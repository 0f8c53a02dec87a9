import { access, constants, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { mebibyte } from '../../../base/limits.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import type { Box, BoxProcess, ExitStatus } from '../../../engine/box/contract.ts';
import { createBox } from '../../../engine/box/index.ts';
import type { ExecResult } from '../../../engine/connector/contract.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import type { LabOptions } from '../options.ts';
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

/** Tools of this machine, each piece of work in a box of its own: they see a copy of the sample and no network. */

const usualOutputBytes = 10 * mebibyte;
const searchFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Tools are trusted and samples are not: a box for software of this machine, shut off from every network. */
function toolPolicy(): Policy {
  const policy = tierPolicy('CRITICAL');
  return { ...policy, name: 'lab-tools', network: { mode: 'none', rules: [] } };
}

interface Collected {
  bytes: () => Buffer;
  dropped: () => number;
}

function collect(stream: Readable, capBytes: number, tell: ((text: string) => void) | undefined): Collected {
  const chunks: Buffer[] = [];
  const decoder = new TextDecoder();
  let kept = 0;
  let dropped = 0;
  stream.on('data', (chunk: Buffer) => {
    const fitting = chunk.subarray(0, Math.max(0, capBytes - kept));
    kept += fitting.length;
    dropped += chunk.length - fitting.length;
    if (fitting.length > 0) chunks.push(fitting);
    if (fitting.length > 0) tell?.(decoder.decode(fitting, { stream: true }));
  });
  return { bytes: () => Buffer.concat(chunks), dropped: () => dropped };
}

class BoxedDesk implements Desk {
  readonly confinement: Confinement;
  readonly folder: string;
  readonly output: string;
  readonly files: readonly string[];
  readonly #box: Box;
  readonly #samples: readonly DeskSample[];
  readonly #running = new Set<BoxProcess>();

  constructor(box: Box, files: readonly string[], samples: readonly DeskSample[]) {
    this.#box = box;
    this.#samples = samples;
    this.folder = box.folders.work;
    this.output = posix.join(box.folders.work, 'output');
    this.files = files;
    this.confinement = boxWords(box.record.backend);
  }

  async run(command: Command, options: RunOptions): Promise<ExecResult> {
    const started = performance.now();
    const argv = 'argv' in command ? command.argv : ['/bin/sh', '-c', command.shell];
    const cap = options.maxOutputBytes ?? usualOutputBytes;
    options.signal?.throwIfAborted();
    const child = await this.#box.spawn(argv, { cwd: this.folder });
    this.#running.add(child);
    let hasTimedOut = false;
    let wasCancelled = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      child.kill('SIGKILL');
    }, options.timeoutMs);
    const cancel = (): void => {
      wasCancelled = true;
      child.kill('SIGKILL');
    };
    options.signal?.addEventListener('abort', cancel, { once: true });
    if (options.signal?.aborted === true) cancel();
    // EPIPE: the tool does not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    const stdout = collect(child.stdout, cap, options.onOutput && ((text) => options.onOutput?.('stdout', text)));
    const stderr = collect(child.stderr, cap, options.onOutput && ((text) => options.onOutput?.('stderr', text)));
    try {
      const ends = [child.stdout, child.stderr].map((stream) => finished(stream, { writable: false }).catch(() => {}));
      const status: ExitStatus = await child.exited;
      await Promise.all(ends);
      return {
        code: hasTimedOut || wasCancelled ? null : status.code,
        signal: status.signal,
        stdout: stdout.bytes(),
        stderr: stderr.bytes(),
        droppedStdoutBytes: stdout.dropped() + status.droppedOutputBytes,
        droppedStderrBytes: stderr.dropped(),
        hasTimedOut,
        wasCancelled,
        elapsedMs: performance.now() - started,
      };
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', cancel);
      this.#running.delete(child);
    }
  }

  async made(): Promise<Made> {
    const { changes, isTruncated } = await this.#box.diff();
    const wanted = changes.filter(
      ({ kind, type, path }) =>
        kind !== 'removed' && type === 'file' && !path.endsWith('/output/.keep') && path.startsWith(`${this.folder}/`),
    );
    const notes = isTruncated ? ['more files were written than can be listed'] : [];
    const files: { name: string; bytes: Buffer }[] = [];
    let total = 0;
    for (const { path, pathBytes, sizeBytes } of wanted) {
      if (await this.#isUntouched(path, sizeBytes)) continue;
      if (files.length === madeLimits.files || total + sizeBytes > madeLimits.bytes) {
        notes.push(`${wanted.length - files.length} files that were written are not kept: too many or too large`);
        break;
      }
      const bytes = await this.#box.get(pathBytes, madeLimits.bytes);
      total += bytes.length;
      files.push({ name: posix.relative(this.folder, path), bytes });
    }
    return { files, notes };
  }

  /** A copy that a tool has changed is something that it made. */
  async #isUntouched(path: string, sizeBytes: number): Promise<boolean> {
    const sample = this.#samples[this.files.indexOf(path)];
    if (sample === undefined || sample.bytes.length !== sizeBytes) return false;
    if (sizeBytes > madeLimits.bytes) return true;
    return (await this.#box.get(path, madeLimits.bytes)).equals(sample.bytes);
  }

  async close(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    await this.#box.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function boxWords(backend: string): Confinement {
  return { kind: 'box', words: `a box of ${backend} on this machine, without a network` };
}

/** What changes when the program does: its size and date. */
async function identify(path: string): Promise<string | null> {
  try {
    await access(path, constants.X_OK);
    const { size, mtimeMs } = await stat(path);
    return `${size}-${Math.floor(mtimeMs / 1000)}`;
  } catch {
    return null;
  }
}

async function findProgram(name: string): Promise<string | null> {
  for (const folder of name.includes('/') ? [''] : searchFolders) {
    const identity = await identify(join(folder, name));
    if (identity !== null) return identity;
  }
  return null;
}

export function boxedWorkbench(options: LabOptions): Workbench {
  const { backend, runtimeFolder, dockerSocket } = options;
  return {
    confinement: boxWords(backend === 'auto' ? 'the strongest kind there is' : backend),
    async available(programs) {
      const found = await Promise.all(programs.map(async (name) => [name, await findProgram(name)] as const));
      return new Map(found.flatMap(([name, identity]) => (identity === null ? [] : [[name, identity]])));
    },
    async open(samples: readonly DeskSample[], signal?: AbortSignal): Promise<Desk> {
      const box = await createBox(toolPolicy(), { backend, runtimeFolder, dockerSocket });
      try {
        signal?.throwIfAborted();
        const { work } = box.folders;
        const files = deskNames(samples).map((name) => posix.join(work, name));
        for (const [at, { bytes }] of samples.entries()) await box.put(files[at] ?? work, bytes, 0o444);
        // Tools that are told where to write expect the folder to be there.
        await box.put(posix.join(work, 'output', '.keep'), new Uint8Array());
        return new BoxedDesk(box, files, samples);
      } catch (error) {
        await box.close();
        throw error;
      }
    },
  };
}
