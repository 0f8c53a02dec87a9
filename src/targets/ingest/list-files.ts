import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { ListedFile } from './contract.ts';
import { createIssueList, type IssueList } from './unpack/issue-list.ts';

export interface Listing {
  readonly files: readonly ListedFile[];
  readonly dropped: number;
  readonly issues: IssueList;
}

const dependencyFolder = /(^|\/)(node_modules|site-packages)\//;
const skippedFolders = new Set(['.git', '.hg', '.svn']);
const mostIssues = 1000;
const deepest = 256;

async function list(path: string): Promise<Dirent[]> {
  try {
    return (await readdir(path, { withFileTypes: true })).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

async function recordLink(root: string, path: string, issues: IssueList): Promise<void> {
  try {
    const real = await realpath(join(root, path));
    if (real === root || real.startsWith(root + sep)) return;
    issues.add('link-out', path, 'the link leads out of the folder; it is not followed');
  } catch {
    issues.add('link-not-followed', path, 'the link leads to nothing');
  }
}

function describeFile(path: string, stats: Stats): ListedFile {
  return {
    path,
    sizeBytes: stats.size,
    isExecutable: (stats.mode & 0o111) !== 0,
    isDependency: dependencyFolder.test(path),
  };
}

/** One file without its neighbours. */
export async function listOne(folder: string, path: string): Promise<Listing> {
  return {
    files: [describeFile(path, await stat(join(folder, path)))],
    dropped: 0,
    issues: createIssueList(mostIssues),
  };
}

/**
 * Every plain file below a folder, with a cap. Links are not followed, the data of version control is left out, and
 * installed dependencies come last, so that they do not crowd out the target's own files.
 */
export async function listFiles(folder: string, maxFiles: number): Promise<Listing> {
  const root = await realpath(folder);
  const issues = createIssueList(mostIssues);
  const files: ListedFile[] = [];
  let dropped = 0;
  const pending: string[] = [''];
  const later: string[] = [];
  for (let below = pending.shift(); below !== undefined; below = pending.shift() ?? later.shift()) {
    for (const entry of await list(join(root, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isSymbolicLink()) await recordLink(root, path, issues);
      else if (entry.isDirectory()) {
        if (skippedFolders.has(entry.name)) continue;
        if (path.split('/').length > deepest) issues.add('path-too-deep', path, `more than ${deepest} folders deep`);
        else (dependencyFolder.test(`${path}/`) ? later : pending).push(path);
      } else if (!entry.isFile()) issues.add('special-file', path, 'a device, a pipe or a socket is not read');
      else if (files.length >= maxFiles) dropped += 1;
      else {
        const stats = await lstat(join(root, path)).catch(() => undefined);
        if (stats === undefined) continue;
        files.push(describeFile(path, stats));
      }
    }
    if (dropped > maxFiles) break;
  }
  return { files, dropped, issues };
}
