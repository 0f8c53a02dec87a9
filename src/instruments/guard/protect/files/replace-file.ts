import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeError, HostError, isKnownError, UsageError } from '../../../../base/errors.ts';
import { type ConfigFile, readConfigFile } from './read-file.ts';

/** Puts other bytes in the place of a file: all of them or none, with the same owner and mode, through links. */

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeBeside(file: ConfigFile, bytes: Buffer, path: string): Promise<void> {
  const handle: FileHandle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    const made = await handle.stat();
    if (made.uid !== file.userId || made.gid !== file.groupId) await handle.chown(file.userId, file.groupId);
    await handle.chmod(file.mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Clients write their files too, and may do so between our reading and writing. */
async function isUnchanged(file: ConfigFile): Promise<boolean> {
  const now = await readConfigFile(file.path);
  return now.real === file.real && now.sha256 === file.sha256 && now.device === file.device && now.node === file.node;
}

/**
 * `beforeRename` is the last moment to stop: what it throws leaves the file as it is.
 * @throws UsageError when somebody else has changed the file meanwhile.
 */
export async function replaceFile(file: ConfigFile, bytes: Buffer, beforeRename: () => Promise<void>): Promise<void> {
  const folder = dirname(file.real);
  // In the same folder, so on the same device, and hidden from whoever lists it.
  const beside = join(folder, `.${basename(file.real).slice(0, 100)}.hotcell-${randomBytes(6).toString('hex')}`);
  try {
    if ((await stat(folder)).dev !== file.device) {
      throw new UsageError('the file is mounted by itself: it cannot be replaced in one step');
    }
    await writeBeside(file, bytes, beside);
    await beforeRename();
    if (!(await isUnchanged(file))) {
      throw new UsageError('another program has changed the file meanwhile: it was left alone', {
        hint: 'close the client, then run the command again',
      });
    }
    await rename(beside, file.real);
  } catch (error) {
    await unlink(beside).catch(() => {});
    if (isKnownError(error)) throw error;
    throw new HostError(`cannot replace the file: ${describeError(error)}`, { cause: error });
  }
  await syncFolder(folder);
}
