import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { TargetError } from '../../base/errors.ts';
import type { IngestContext, Ingested } from './contract.ts';
import type { Fetched } from './fetch/contract.ts';
import { fetchGit } from './fetch/git.ts';
import { fetchNpm } from './fetch/npm.ts';
import { fetchPypi } from './fetch/pypi.ts';
import type { FileTarget, StartedTarget } from './target/contract.ts';
import { describeTarget } from './target/parse.ts';
import type { Unpacked } from './unpack/contract.ts';
import { unpack } from './unpack/unpack.ts';

/** Where the files of a target are. */
export interface Located {
  readonly folder: string;
  readonly entry?: string;
  /** Only this file belongs to the target. */
  readonly isAlone?: boolean;
  readonly name: string;
  readonly resolved?: Partial<Ingested['resolved']>;
  readonly origin: string;
  readonly unpacked?: Unpacked;
  readonly fetched?: Fetched;
}

const projectFiles = ['package.json', 'pyproject.toml', 'setup.py', 'manifest.json'];
const mostLevelsUp = 4;

/** An archive most often holds one folder with everything in it. */
async function rootOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const [only] = entries;
  return entries.length === 1 && only?.isDirectory() === true ? join(folder, only.name) : folder;
}

async function unpackInto(
  archive: string,
  context: IngestContext,
  work: string,
  strip: 0 | 1,
): Promise<[string, Unpacked]> {
  const into = join(work, 'files');
  const limits = context.unpackLimits;
  const unpacked = await unpack(archive, into, { strip, ...(limits === undefined ? {} : { limits }) });
  return [strip === 1 ? into : await rootOf(into), unpacked];
}

async function locateFetched(
  fetched: Fetched,
  context: IngestContext,
  work: string,
  strip: 0 | 1,
  isRoot = false,
): Promise<Located> {
  const [root, unpacked] = await unpackInto(fetched.archive, context, work, strip);
  const { name, version, integrity, isVerified, origin } = fetched;
  const folder = isRoot ? join(work, 'files') : root;
  return { folder, name, origin, unpacked, fetched, resolved: { version, integrity, isVerified } };
}

/** The project that a file belongs to: the nearest folder above it that says what it is. */
function locateScript({ path }: FileTarget): Located {
  const origin = path;
  let folder = dirname(path);
  for (let level = 0; level < mostLevelsUp && dirname(folder) !== folder; level += 1) {
    if (projectFiles.some((name) => existsSync(join(folder, name)))) {
      return { folder, entry: relative(folder, path), name: basename(folder), origin };
    }
    folder = dirname(folder);
  }
  return { folder: dirname(path), entry: basename(path), isAlone: true, name: basename(path), origin };
}

async function locateFile(target: FileTarget, context: IngestContext, work: string): Promise<Located> {
  const { format, path } = target;
  if (format === 'script') return locateScript(target);
  if (format === 'bundle' || format === 'tarball' || format === 'wheel' || format === 'zip') {
    const [root, unpacked] = await unpackInto(path, context, work, 0);
    const isFlat = format === 'bundle' || format === 'wheel';
    return { folder: isFlat ? join(work, 'files') : root, name: basename(path), origin: path, unpacked };
  }
  return { folder: dirname(path), entry: basename(path), isAlone: true, name: basename(path), origin: path };
}

export async function locate(target: StartedTarget, context: IngestContext, work: string): Promise<Located> {
  const download = join(work, 'download');
  switch (target.kind) {
    case 'folder':
      return { folder: target.path, name: basename(target.path), origin: target.path };
    case 'file':
      return await locateFile(target, context, work);
    case 'npm':
      return await locateFetched(await fetchNpm(target, context, download), context, work, 1);
    case 'pypi': {
      const fetched = await fetchPypi(target, context, download);
      return await locateFetched(fetched, context, work, 0, fetched.archive.endsWith('.whl'));
    }
    case 'git':
      return await locateFetched(await fetchGit(target, context, download), context, work, 0, true);
    case 'image':
    case 'remote':
      throw new TargetError(`${describeTarget(target)}: there are no files to inspect before it runs`);
  }
}
