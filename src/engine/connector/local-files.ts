import { createHash, randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, link, lstat, mkdir, open, opendir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeError, HostError, UsageError } from '../../base/errors.ts';
import { checkNumber, checkPath, show } from './checks.ts';
import type { FileReceipt, GetOptions, PlaceEntry, PutOptions } from './contract.ts';
import { compareNames, readTime, readType, toBinary } from './entries.ts';
import { checkSource, describeRefusal, type FileSource } from './transfer.ts';

const largestList = 1_000_000;
const nothing = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

function isNothing(error: unknown): boolean {
  return nothing.has((error as NodeJS.ErrnoException).code ?? '');
}

function failed(what: string, cause: unknown): HostError {
  return new HostError(`cannot ${what}: ${describeError(cause)}`, { cause });
}

async function orNothing<Value>(what: string, work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (isNothing(error)) return null;
    throw failed(what, error);
  }
}

async function describe(path: string, name: string, stats: Stats): Promise<PlaceEntry> {
  const target = stats.isSymbolicLink() ? await readlink(path).catch(() => undefined) : undefined;
  return {
    name,
    type: readType(stats.mode),
    sizeBytes: stats.size,
    mode: stats.mode & 0o7777,
    changedAt: readTime(Math.floor(stats.mtimeMs / 1000) * 1000),
    ...(target === undefined ? {} : { linkTarget: target }),
  };
}

export async function statHere(path: string): Promise<PlaceEntry | null> {
  checkPath(path);
  const stats = await orNothing(`look at ${show(path)}`, lstat(path));
  return stats === null ? null : describe(path, path.replace(/\/+$/, '').split('/').at(-1) ?? '', stats);
}

export async function realPathHere(path: string): Promise<string | null> {
  checkPath(path);
  return orNothing(`resolve ${show(path)}`, realpath(path));
}

export async function listHere(
  path: string,
  most: number,
): Promise<{ entries: readonly PlaceEntry[]; hasMore: boolean }> {
  checkPath(path);
  checkNumber('the number of entries', most, 1, largestList);
  const what = `list ${show(path)}`;
  const names: string[] = [];
  const found = await orNothing(what, stat(path));
  if (found === null) throw new UsageError(`cannot ${what}: there is nothing`);
  if (!found.isDirectory()) throw new UsageError(`cannot ${what}: it is no folder`);
  try {
    for await (const { name } of await opendir(path)) names.push(name);
  } catch (error) {
    throw failed(what, error);
  }
  const wanted = names.toSorted((left, right) => compareNames(toBinary(left), toBinary(right))).slice(0, most);
  const entries: PlaceEntry[] = [];
  for (const name of wanted) {
    const stats = await lstat(join(path, name)).catch(() => undefined);
    if (stats !== undefined) entries.push(await describe(join(path, name), name, stats));
  }
  return { entries, hasMore: names.length > most };
}

export async function makeFolderHere(path: string): Promise<void> {
  checkPath(path);
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || isNothing(error)) {
      throw new UsageError(`cannot make the folder ${show(path)}: something else has the name`, { cause: error });
    }
    throw failed(`make the folder ${show(path)}`, error);
  }
}

async function hashOf(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'r');
  for await (const chunk of file.createReadStream(signal === undefined ? {} : { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function* readSource(source: FileSource, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) yield source;
  else {
    const file = await open(source.file, 'r');
    yield* file.createReadStream(signal === undefined ? {} : { signal });
  }
}

async function hasEntry(path: string): Promise<Stats | null> {
  return orNothing(`look at ${show(path)}`, lstat(path));
}

export async function putHere(path: string, source: FileSource, options: PutOptions = {}): Promise<FileReceipt> {
  const { mode = 0o600, isOverwriteAllowed = false, signal } = options;
  checkPath(path);
  checkNumber('the mode', mode, 0, 0o7777);
  await checkSource(source);
  const what = `write ${show(path)}`;
  const there = await hasEntry(path);
  if (there !== null && !isOverwriteAllowed) throw describeRefusal(what, 'exists');
  if (there?.isDirectory()) throw describeRefusal(what, 'folder');
  const part = join(dirname(path), `.hotcell-${randomBytes(8).toString('hex')}.part`);
  try {
    await mkdir(dirname(path), { recursive: true });
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const file = await open(part, 'wx', 0o600);
    try {
      for await (const chunk of readSource(source, signal)) {
        signal?.throwIfAborted();
        hash.update(chunk);
        sizeBytes += chunk.length;
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    const sha256 = hash.digest('hex');
    const written = await hashOf(part, signal);
    if (written !== sha256)
      throw new HostError(`cannot ${what}: the sha256 of what was written is ${written}, not ${sha256}`);
    await chmod(part, mode);
    if (isOverwriteAllowed) await rename(part, path);
    else {
      await link(part, path).catch((error: NodeJS.ErrnoException) => {
        // Some file systems have no links.
        if (error.code === 'EPERM' || error.code === 'ENOTSUP') return rename(part, path);
        throw error.code === 'EEXIST' ? describeRefusal(what, 'exists') : error;
      });
    }
    return { path, sizeBytes, sha256 };
  } catch (error) {
    if (signal?.aborted) throw new HostError(`cannot ${what}: it was cancelled`, { cause: error });
    throw error instanceof HostError || error instanceof UsageError ? error : failed(what, error);
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

export async function getHere(
  path: string,
  { maxBytes, signal }: GetOptions,
  take: (chunk: Buffer) => void | Promise<void>,
): Promise<FileReceipt> {
  checkPath(path);
  checkNumber('maxBytes', maxBytes, 0, Number.MAX_SAFE_INTEGER);
  const what = `read ${show(path)}`;
  const stats = await orNothing(what, stat(path));
  if (stats === null) throw describeRefusal(what, 'nothing');
  if (stats.isDirectory()) throw describeRefusal(what, 'folder');
  if (!stats.isFile()) throw describeRefusal(what, 'special');
  if (stats.size > maxBytes)
    throw new UsageError(`${show(path)} has ${stats.size} bytes; at most ${maxBytes} are taken`);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    for await (const chunk of readSource({ file: path }, signal)) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new UsageError(`${show(path)} grew beyond ${maxBytes} bytes while it was read`);
      hash.update(chunk);
      await take(chunk as Buffer);
    }
    const sha256 = hash.digest('hex');
    const again = await hashOf(path, signal);
    if (again !== sha256) {
      throw new HostError(`cannot ${what}: its sha256 was ${sha256} and is ${again}`, {
        hint: 'something writes to it; try again',
      });
    }
    return { path, sizeBytes, sha256 };
  } catch (error) {
    if (signal?.aborted) throw new HostError(`cannot ${what}: it was cancelled`, { cause: error });
    throw error instanceof HostError || error instanceof UsageError ? error : failed(what, error);
  }
}
