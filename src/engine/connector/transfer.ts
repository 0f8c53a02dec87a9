import { randomBytes } from 'node:crypto';
import { type FileHandle, link, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { describeError, HostError, type KnownError, UsageError } from '../../base/errors.ts';
import { show } from './checks.ts';
import type { FileReceipt } from './contract.ts';

export type FileSource = Uint8Array | { readonly file: string };

/** The size of what is to be sent. */
export async function checkSource(source: FileSource): Promise<number> {
  if (source instanceof Uint8Array) return source.length;
  const found = await stat(source.file).catch((cause: unknown) => {
    throw new UsageError(`cannot read ${show(source.file)}: ${describeError(cause)}`, { cause });
  });
  if (!found.isFile()) throw new UsageError(`cannot send ${show(source.file)}: it is no file`);
  return found.size;
}

const refusals: Readonly<Record<string, string>> = {
  exists: 'something is there already',
  folder: 'there is a folder of that name',
  nothing: 'there is nothing',
  special: 'it is no ordinary file',
};

export function describeRefusal(what: string, word: string): KnownError {
  const why = refusals[word];
  return why === undefined
    ? new HostError(`cannot ${what}: the place answered ${show(word)}`)
    : new UsageError(`cannot ${what}: ${why}`);
}

/** Fills a new file of this host: under another name until it is whole, and nothing stays when that fails. */
export async function fillNewFile(
  file: string,
  fill: (take: (chunk: Buffer) => Promise<void>) => Promise<FileReceipt>,
): Promise<FileReceipt> {
  const path = resolve(file);
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UsageError(`cannot write ${show(path)}: something is there already`);
  const part = join(dirname(path), `.${basename(path).slice(0, 80)}.${randomBytes(8).toString('hex')}.part`);
  const handle: FileHandle = await open(part, 'wx', 0o600).catch((cause: unknown) => {
    throw new UsageError(`cannot write ${show(path)}: ${describeError(cause)}`, { cause });
  });
  try {
    const receipt = await fill(async (chunk) => {
      await handle.writeFile(chunk);
    });
    await handle.close();
    // Unlike a rename, a link never takes the place of what came meanwhile.
    await link(part, path).catch(async (cause: NodeJS.ErrnoException) => {
      // Some file systems have no links.
      if (cause.code === 'EPERM' || cause.code === 'ENOTSUP') return rename(part, path);
      throw new UsageError(`cannot write ${show(path)}: ${describeError(cause)}`, { cause });
    });
    return receipt;
  } finally {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true });
  }
}
