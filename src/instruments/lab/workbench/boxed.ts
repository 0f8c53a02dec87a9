import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Policy } from '../../../base/policy-schema.ts';
import type { Box, BoxProcess, ExitStatus } from '../../../engine/box/contract.ts';
import { createBox } from '../../../engine/box/index.ts';
import type { ExecResult } from '../../../engine/connector/contract.ts';
import { defaultMaxOutputBytes, gather } from '../../../engine/connector/index.ts';
import { findTool } from '../../../engine/host/index.ts';
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

/** Tools are trusted and samples are not: a box for software of this machine, shut off from every network. */
function toolPolicy(): Policy {
  const policy = tierPolicy('CRITICAL');
  return { ...policy, name: 'lab-tools', network: { mode: 'none', rules: [] } };
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
    const cap = options.maxOutputBytes ?? defaultMaxOutputBytes;
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
    const stdout = gather(cap, (text) => options.onOutput?.('stdout', text));
    const stderr = gather(cap, (text) => options.onOutput?.('stderr', text));
    child.stdout.on('data', stdout.take);
    child.stderr.on('data', stderr.take);
    try {
      const ends = [child.stdout, child.stderr].map((stream) => finished(stream, { writable: false }).catch(() => {}));
      const status: ExitStatus = await child.exited;
      await Promise.all(ends);
      stdout.end();
      stderr.end();
      return {
        code: hasTimedOut || wasCancelled ? null : status.code,
        signal: status.signal,
        stdout: stdout.kept(),
        stderr: stderr.kept(),
        droppedStdoutBytes: stdout.droppedBytes + status.droppedOutputBytes,
        droppedStderrBytes: stderr.droppedBytes,
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
async function identify(name: string): Promise<string | null> {
  const path = await findTool(name);
  if (path === null) return null;
  const { size, mtimeMs } = await stat(path);
  return `${size}-${Math.floor(mtimeMs / 1000)}`;
}

export function boxedWorkbench(options: LabOptions): Workbench {
  const { backend, runtimeFolder, dockerSocket } = options;
  return {
    confinement: boxWords(backend === 'auto' ? 'the strongest kind there is' : backend),
    async available(programs) {
      const found = await Promise.all(programs.map(async (name) => [name, await identify(name)] as const));
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
