import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../../base/fingerprint.ts';
import type { GitTarget } from '../target/contract.ts';
import type { FetchContext } from './contract.ts';
import { withoutCredentials } from './shown-url.ts';

/**
 * Commits that were fetched before, by their name. A branch or a tag can move, so it is looked up here only when there
 * is no network.
 *
 *     git/HASH OF URL AND FOLDER/COMMIT.tar
 *     git/HASH OF URL AND FOLDER/ref-HASH OF REF     holds the name of a commit
 */

export const commitPattern = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

function folderOf(target: GitTarget, { cacheFolder }: FetchContext): string {
  return join(cacheFolder, 'git', sha256(`${withoutCredentials(target.url)}\n${target.folder ?? ''}`));
}

function refFile(target: GitTarget, folder: string): string {
  return join(folder, `ref-${sha256(target.ref ?? 'HEAD')}`);
}

/** Copies the kept archive to where it is wanted and says which commit it is; nothing when there is none. */
export async function takeKept(target: GitTarget, context: FetchContext, archive: string): Promise<string | undefined> {
  // A local repository costs nothing to ask, and is its own cache.
  if (target.protocol === 'file') return undefined;
  const folder = folderOf(target, context);
  try {
    const isCommit = target.ref !== undefined && commitPattern.test(target.ref);
    if (!isCommit && !context.isOffline) return undefined;
    const commit = isCommit ? (target.ref ?? '') : await readFile(refFile(target, folder), 'utf8');
    if (!commitPattern.test(commit)) return undefined;
    await copyFile(join(folder, `${commit}.tar`), archive);
    return commit;
  } catch {
    return undefined;
  }
}

export async function keep(target: GitTarget, context: FetchContext, archive: string, commit: string): Promise<void> {
  if (target.protocol === 'file') return;
  const folder = folderOf(target, context);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const part = join(folder, `part-${process.pid}-${crypto.randomUUID()}`);
  await copyFile(archive, part);
  await rename(part, join(folder, `${commit}.tar`));
  await writeFile(refFile(target, folder), commit);
}
