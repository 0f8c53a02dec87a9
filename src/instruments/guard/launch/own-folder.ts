import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** The folder that a script belongs to, and no more: a box is given a package, never somebody's home folder. */

const packageFiles = ['package.json', 'pyproject.toml', 'pyvenv.cfg', 'setup.py', 'deno.json', 'deno.jsonc'];
const mostLevelsUp = 12;

/** Folders that hold everybody's things; a package may be in them, but none of them is one. */
const sharedFolders = new Set(
  '/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /media /mnt /opt /proc /root /run /sbin /srv /sys /tmp /usr /usr/bin /usr/lib /usr/local /usr/local/bin /usr/local/lib /usr/sbin /usr/share /usr/src /var /var/lib /var/tmp /private /private/tmp /Users'.split(
    ' ',
  ),
);

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`);

/** Whether a folder may be given to a box as a whole. */
export function isGivable(folder: string, home: string): boolean {
  if (sharedFolders.has(folder) || isWithin(home, folder)) return false;
  const inHome = isWithin(folder, home) ? folder.slice(home.length + 1) : null;
  // `.local` and the like are shared by many programs, and hold what they keep secret.
  return (
    inHome === null || !/^(?:\.local(?:\/(?:bin|lib|share|state))?|\.config|\.cache|\.ssh|bin|\.[^/]*rc)$/.test(inHome)
  );
}

export interface OwnFolder {
  /** Null where the file lies in a folder that is not its own: then there is only the file. */
  readonly folder: string | null;
  /** True where the folder says that it is a package. */
  readonly isPackage: boolean;
  /** `node_modules` in the folders above, where node looks as well. */
  readonly besides: readonly string[];
}

/** `path` is a real path; `isFolder` when the search begins with it and not above it. */
export function findOwnFolder(path: string, home: string, isFolder = false): OwnFolder {
  const first = isFolder ? path : dirname(path);
  const above: string[] = [];
  for (let folder = first; isGivable(folder, home) && above.length < mostLevelsUp; folder = dirname(folder)) {
    above.push(folder);
  }
  // A module folder inside of a package is found by its name: the package is around it.
  const found = above.find(
    (folder) => packageFiles.some((name) => existsSync(join(folder, name))) && basename(folder) !== 'node_modules',
  );
  const folder = found ?? above[0] ?? null;
  const outside = folder === null ? [] : above.slice(above.indexOf(folder) + 1);
  const besides = outside.map((each) => join(each, 'node_modules')).filter((each) => existsSync(each));
  return { folder, isPackage: found !== undefined, besides };
}

const lockFiles = [
  ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb', 'deno.lock'],
  ...['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'requirements.txt'],
];

export function findLockFile(folder: string): string | null {
  return lockFiles.map((name) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
