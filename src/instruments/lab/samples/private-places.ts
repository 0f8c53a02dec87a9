import { UsageError } from '../../../base/errors.ts';
import { isBelow, shown } from './path-text.ts';

/**
 * What opens other doors is no sample. A text in a sample can talk an agent into asking for the keys of its user, so the
 * places where those lie are refused on this machine unless somebody has put the file among the samples.
 */

const privateFolders: ReadonlySet<string> = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.password-store',
  'gcloud',
  'keyrings',
]);

const privateFiles: readonly string[] = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/shadow-',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/root/.netrc',
];

const privateNames: ReadonlySet<string> = new Set(['.netrc', '.pgpass', '.git-credentials', '.npmrc', '.pypirc']);
/** The kernel's own: reading there is a question to the machine and no look at a file. */
const machineFolders: readonly string[] = ['/proc', '/sys', '/dev'];

function isPrivate(path: string, homeFolder: string): boolean {
  const parts = path.split('/');
  return (
    parts.some((part) => privateFolders.has(part)) ||
    privateNames.has(parts.at(-1) ?? '') ||
    privateFiles.includes(path) ||
    machineFolders.some((folder) => isBelow(folder, path)) ||
    isBelow(`${homeFolder}/ledger`, path)
  );
}

/** `path`: with every link followed. `roots`: folders whose content somebody has put there to be looked at. */
export function refusePrivate(path: string, roots: readonly string[], homeFolder: string): void {
  if (roots.some((root) => isBelow(root, path)) || !isPrivate(path, homeFolder)) return;
  throw new UsageError(`${shown(path)} is a place for secrets of this machine, and no sample`, {
    code: 'INVALID_PATH',
    hint: 'whoever really wants it looked at copies it into the samples folder by hand',
  });
}
