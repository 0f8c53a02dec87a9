import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { HostError, UsageError } from '../../../base/errors.ts';

/**
 * Opening files of a box from the host. The target owns these folders and may replace any part of a path by a link at
 * any moment, so no path is ever handed to the kernel whole: each part is opened from the folder before it, and links
 * are refused. The calls are synchronous: each is shorter than handing it to another thread would be.
 */

const pathOnly = 0o10000000; // O_PATH
const reading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** A name in an open folder, as a path that cannot be redirected. In text each character stands for one byte. */
export function nameIn(folder: number, name: Buffer | string): Buffer {
  if (typeof name === 'string') return Buffer.from(`/proc/self/fd/${folder}/${name}`, 'latin1');
  return Buffer.concat([Buffer.from(`/proc/self/fd/${folder}/`), name]);
}

export function shown(part: string): string {
  return JSON.stringify(Buffer.from(part, 'latin1').toString('utf8'));
}

export function splitInside(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || path.includes('\0'))
    throw new UsageError(`a path inside a box has no ".." and no NUL: ${shown(path)}`);
  return parts;
}

/** Opens a folder to start from, not to list it: that works whatever its mode is. */
export function openFolder(path: Buffer | string): number {
  return openSync(path, constants.O_DIRECTORY | constants.O_NOFOLLOW | pathOnly);
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

export interface PlainFile {
  readonly file: number;
  readonly stat: Stats;
}

/** Opens a plain file for reading. A link, a pipe or a device is refused, and opening never blocks. */
export function openPlainFile(path: Buffer, name: string): PlainFile {
  let file: number;
  try {
    file = openSync(path, reading);
  } catch (error) {
    const code = codeOf(error);
    const why =
      code === 'ELOOP' ? 'it is a link, which is not followed' : code === 'ENOENT' ? 'it does not exist' : code;
    throw new HostError(`cannot read ${shown(name)} in the box: ${why}`, { cause: error });
  }
  const stat = fstatSync(file);
  if (stat.isFile()) return { file, stat };
  closeSync(file);
  throw new HostError(`cannot read ${shown(name)} in the box: it is not a plain file`);
}
