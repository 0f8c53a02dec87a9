import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { describeError, UsageError } from '../../../../base/errors.ts';
import { sha256 } from '../../../../base/fingerprint.ts';
import { mebibyte } from '../../../../base/limits.ts';

/** A file of a client, as it was when it was read. */
export interface ConfigFile {
  readonly path: string;
  /** Where links lead to; the file itself is there. */
  readonly real: string;
  /** What the link says, where the path is one. */
  readonly link: string | null;
  readonly bytes: Buffer;
  readonly text: string;
  readonly sha256: string;
  readonly mode: number;
  readonly userId: number;
  readonly groupId: number;
  readonly device: number;
  readonly node: number;
}

const largestBytes = 32 * mebibyte;

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError('it is not UTF-8');
  }
}

/** @throws UsageError where the file is nothing that could be changed safely. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  let handle: FileHandle | undefined;
  try {
    const real = await realpath(path);
    const isLink = (await lstat(path)).isSymbolicLink();
    handle = await open(real, 'r');
    const stats = await handle.stat();
    if (!stats.isFile()) throw new UsageError('it is no file');
    if (stats.size > largestBytes) throw new UsageError(`it is larger than ${largestBytes} bytes`);
    if (stats.nlink > 1) throw new UsageError(`it has ${stats.nlink} names (hard links), and only one would change`);
    const bytes = await handle.readFile();
    return {
      path,
      real,
      link: isLink ? await readlink(path) : null,
      bytes,
      text: decode(bytes),
      sha256: sha256(bytes),
      mode: stats.mode & 0o7777,
      userId: stats.uid,
      groupId: stats.gid,
      device: stats.dev,
      node: stats.ino,
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`it cannot be read: ${describeError(error)}`);
  } finally {
    await handle?.close();
  }
}
