import { mkdir, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { describeError, UsageError } from '../../../base/errors.ts';
import { createArchive } from '../archives/index.ts';
import type { Lab } from '../lab.ts';
import { safeName, shown } from '../samples/paths.ts';

/** A file of the lab goes to the host: in an archive with a password, unless it is asked for as it is. */

export const usualPassword = 'infected';

export interface TakeOrder {
  readonly file: string;
  /** A folder of this host that is there. */
  readonly hostFolder: string;
  readonly isArchived: boolean;
  readonly password: string;
  readonly cipher: 'aes-256' | 'zipcrypto';
  readonly signal: AbortSignal;
}

export interface TakenFile {
  readonly hostPath: string;
  readonly sizeBytes: number;
  /** Of the file itself, whatever it was wrapped in. */
  readonly sha256: string;
  readonly archiveSha256: string | null;
  readonly cipher: string | null;
}

async function checkFolder(folder: string): Promise<void> {
  if (!isAbsolute(folder) || folder.includes('\0')) {
    throw new UsageError(`${shown(folder)} is no absolute path`, { code: 'INVALID_PATH' });
  }
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw new UsageError(`there is no folder ${shown(folder)}`, { code: 'DIR_NOT_FOUND' });
}

export async function takeFile(lab: Lab, order: TakeOrder): Promise<TakenFile> {
  const { hostFolder, isArchived, password, cipher, signal } = order;
  await checkFolder(hostFolder);
  const { bytes, name, sha256: own } = await lab.samples.read(order.file, signal);
  const archive = isArchived
    ? await createArchive({ files: [{ name: safeName(name), bytes }], password, format: 'zip', cipher, signal })
    : null;
  const hostPath = join(hostFolder, archive === null ? safeName(name) : `${safeName(name)}.zip`);
  try {
    await mkdir(hostFolder, { recursive: true });
    // Nothing that is there already is written over, and nobody but its owner opens it.
    await writeFile(hostPath, archive?.bytes ?? bytes, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new UsageError(`${shown(hostPath)} cannot be written: ${describeError(error)}`, {
      code: 'DOWNLOAD_FAILED',
      hint: 'take another folder, or move away what is there',
    });
  }
  return {
    hostPath,
    sizeBytes: bytes.length,
    sha256: own,
    archiveSha256: archive?.sha256 ?? null,
    cipher: archive?.cipher ?? null,
  };
}
