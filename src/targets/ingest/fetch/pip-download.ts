import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostError, TargetError } from '../../../base/errors.ts';
import { limitsOf } from './contract.ts';
import { httpGet } from './http-get.ts';
import type { IndexFile } from './pip-index.ts';
import type { PipSource } from './pip-source.ts';
import { saveStream } from './save-stream.ts';
import { withoutCredentials } from './shown-url.ts';

export interface Downloaded {
  readonly path: string;
  readonly sha256: string;
  readonly isVerified: boolean;
}

async function* open(file: IndexFile, { settings, context }: PipSource): AsyncGenerator<Uint8Array> {
  if (file.url.startsWith('file:')) yield* createReadStream(fileURLToPath(file.url)) as AsyncIterable<Uint8Array>;
  else yield* (await httpGet(file.url, '*/*', settings, context)).body as AsyncIterable<Uint8Array>;
}

async function hashKept(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** One file of an index, kept under the hash of its content. Every hash that the index tells is checked. */
export async function downloadFile(file: IndexFile, source: PipSource): Promise<Downloaded> {
  const folder = join(source.context.cacheFolder, 'pypi/files');
  await mkdir(folder, { recursive: true });
  const told = file.hashes.get('sha256');
  if (told !== undefined && /^[0-9a-f]{64}$/.test(told)) {
    const kept = join(folder, told);
    if (await hashKept(kept)) return { path: kept, sha256: told, isVerified: true };
  }
  const isRemote = !file.url.startsWith('file:');
  if (source.context.isOffline && isRemote) {
    throw new HostError(`the file ${JSON.stringify(file.filename)} is not in the cache`, {
      hint: 'run once without --offline',
    });
  }
  const part = join(folder, `part-${process.pid}-${crypto.randomUUID()}`);
  const algorithms = [...new Set(['sha256', ...file.hashes.keys()])];
  try {
    const hashes = await saveStream(open(file, source), part, limitsOf(source.context).maxArchiveBytes, algorithms);
    for (const [algorithm, expected] of file.hashes) {
      if (hashes.get(algorithm)?.toString('hex') === expected) continue;
      throw new TargetError(
        `${withoutCredentials(file.url)}: the file does not have the ${algorithm} hash that the index tells`,
      );
    }
    const digest = hashes.get('sha256')?.toString('hex') ?? '';
    await rename(part, join(folder, digest));
    return { path: join(folder, digest), sha256: digest, isVerified: file.hashes.size > 0 };
  } finally {
    await rm(part, { force: true });
  }
}
