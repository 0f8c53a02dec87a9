import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Files that others name or make. Where a file is expected there may be a pipe without a writer, which would be waited
 * for, a device without an end, a link to somewhere else, or a file that grows while it is read.
 */

export interface RegularFileOptions {
  /** `refused` wherever a stranger could have put a link; then only the last name of the path may be none. */
  readonly links: 'followed' | 'refused';
}

export interface FileStartOptions extends RegularFileOptions {
  readonly mostBytes: number;
}

/** A file up to a limit. */
export interface FileStart {
  readonly bytes: Buffer;
  /** False where there is more than the limit. */
  readonly isWhole: boolean;
  /** As the file system said when it was opened. */
  readonly sizeBytes: number;
}

function flagsFor({ links }: RegularFileOptions): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  return O_RDONLY | O_NONBLOCK | (links === 'refused' ? O_NOFOLLOW : 0);
}

function demandFile(stats: Stats): void {
  if (!stats.isFile()) throw new Error('it is not a file');
}

/** One byte more than allowed is asked for, so that what is too long is noticed, whatever its size was said to be. */
class Filling {
  readonly #mostBytes: number;
  #buffer: Buffer;
  #length = 0;

  constructor(mostBytes: number, sizeBytes: number) {
    this.#mostBytes = mostBytes;
    this.#buffer = Buffer.alloc(Math.min(mostBytes, sizeBytes) + 1);
  }

  /** Where the next bytes go; empty once the limit is reached. */
  get room(): Buffer {
    if (this.#length === this.#buffer.length && this.#length <= this.#mostBytes) {
      const wider = Buffer.alloc(Math.min(this.#mostBytes + 1, this.#length * 2 + 4096));
      this.#buffer.copy(wider);
      this.#buffer = wider;
    }
    return this.#buffer.subarray(this.#length);
  }

  take(count: number): void {
    this.#length += count;
  }

  end(sizeBytes: number): FileStart {
    const isWhole = this.#length <= this.#mostBytes;
    return { bytes: this.#buffer.subarray(0, Math.min(this.#length, this.#mostBytes)), isWhole, sizeBytes };
  }
}

/** @throws Error where there is no file, or something that is none. */
export async function openRegularFile(path: string, options: RegularFileOptions): Promise<FileHandle> {
  const handle = await open(path, flagsFor(options));
  try {
    demandFile(await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @throws Error where there is no file, or something that is none. */
export async function readRegularFile(path: string, options: FileStartOptions): Promise<FileStart> {
  await using handle = await openRegularFile(path, options);
  const { size } = await handle.stat();
  const filling = new Filling(options.mostBytes, size);
  for (let room = filling.room; room.length > 0; room = filling.room) {
    const { bytesRead } = await handle.read(room, 0, room.length, null);
    if (bytesRead === 0) break;
    filling.take(bytesRead);
  }
  return filling.end(size);
}

/** @throws Error where there is no file, or something that is none. */
export function readRegularFileSync(path: string, options: FileStartOptions): FileStart {
  const descriptor = openSync(path, flagsFor(options));
  try {
    const stats = fstatSync(descriptor);
    demandFile(stats);
    const filling = new Filling(options.mostBytes, stats.size);
    for (let room = filling.room; room.length > 0; room = filling.room) {
      const count = readSync(descriptor, room, 0, room.length, null);
      if (count === 0) break;
      filling.take(count);
    }
    return filling.end(stats.size);
  } finally {
    closeSync(descriptor);
  }
}
