import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { HostError, UsageError } from '../../../base/errors.ts';

/**
 * Opening files of a box from the host. The target owns these folders and may replace any part of a path by a link at
 * any moment, so no path is ever handed to the kernel whole: each part is opened from the folder before it, and links
 * are refused.
 */

const pathOnly = 0o10000000; // O_PATH

/** A name in an open folder, as a path that cannot be redirected. In text each character stands for one byte. */
export function nameIn(folder: FileHandle, name: Buffer | string): Buffer {
  const bytes = typeof name === 'string' ? Buffer.from(name, 'latin1') : name;
  return Buffer.concat([Buffer.from(`/proc/self/fd/${folder.fd}/`), bytes]);
}

function shown(part: string): string {
  return JSON.stringify(Buffer.from(part, 'latin1').toString('utf8'));
}

export function splitInside(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || path.includes('\0'))
    throw new UsageError(`a path inside a box has no ".." and no NUL: ${shown(path)}`);
  return parts;
}

export async function openFolder(path: Buffer | string): Promise<FileHandle> {
  return open(path as string, constants.O_DIRECTORY | constants.O_NOFOLLOW | pathOnly);
}

export interface FolderOwner {
  readonly uid: number;
  readonly gid: number;
}

/** Opens the folder at `parts` below `root`; missing ones are made for `owner` where one is given. */
export async function openFolderBeneath(
  root: string,
  parts: readonly string[],
  owner?: FolderOwner,
): Promise<FileHandle> {
  let folder = await openFolder(root);
  for (const part of parts) {
    try {
      const next = await openNext(folder, part, owner);
      await folder.close();
      folder = next;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }
  return folder;
}

async function openNext(folder: FileHandle, part: string, owner: FolderOwner | undefined): Promise<FileHandle> {
  const path = nameIn(folder, part);
  try {
    return await openFolder(path);
  } catch (error) {
    if (owner === undefined || codeOf(error) !== 'ENOENT') throw explain(part, error);
  }
  // The target may be quicker and put something else there: whatever happens then is its error, not ours.
  try {
    await mkdir(path, 0o755);
    const made = await openFolder(path);
    const real = await open(`/proc/self/fd/${made.fd}`, constants.O_DIRECTORY | constants.O_RDONLY);
    await real.chown(owner.uid, owner.gid).finally(() => real.close());
    return made;
  } catch (error) {
    throw explain(part, error);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

function explain(part: string, cause: unknown): HostError {
  const code = codeOf(cause);
  const isLink = code === 'ELOOP' || code === 'ENOTDIR';
  const what = isLink ? 'it is a link or no folder, and is not followed' : code;
  return new HostError(`cannot open ${shown(part)} in the box: ${what}`, { cause });
}

/** Opens a plain file for reading. A link, a pipe or a device is refused, and opening never blocks. */
export async function openFileBeneath(root: string, parts: readonly string[]): Promise<FileHandle> {
  const name = parts.at(-1);
  if (name === undefined) throw new UsageError('the path of a file is needed, not that of a folder of the box');
  const folder = await openFolderBeneath(root, parts.slice(0, -1));
  try {
    return await openPlainFile(nameIn(folder, name), name);
  } finally {
    await folder.close();
  }
}

export async function openPlainFile(path: Buffer, name: string): Promise<FileHandle> {
  let file: FileHandle;
  try {
    file = await open(
      path as unknown as string,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ELOOP' ? 'it is a link, which is not followed' : code === 'ENOENT' ? 'it does not exist' : code;
    throw new HostError(`cannot read ${shown(name)} in the box: ${why}`, { cause: error });
  }
  if (!(await file.stat()).isFile()) {
    await file.close();
    throw new HostError(`cannot read ${shown(name)} in the box: it is not a plain file`);
  }
  return file;
}
