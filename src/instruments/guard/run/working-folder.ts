import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Policy } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { accessAt, cleanPath, indexAccess, isWithin } from '../../../engine/policy/paths.ts';
import type { PreparedServer } from '../contract.ts';

/**
 * Which folder a server is started in: the caller's, so that relative words of its command mean what they mean without a
 * box, as far as the policy shows that folder or something below it; otherwise its own.
 */

export interface WorkingFolder {
  /** Undefined: the box's own. */
  readonly cwd: string | undefined;
  /** Words of the command that lead nowhere in there. */
  readonly problems: readonly string[];
}

export interface WorkingOptions {
  readonly server: Pick<PreparedServer, 'argv' | 'cwd' | 'callerFolder'>;
  readonly policy: Pick<Policy, 'files'>;
  /** Whether the user that the server runs as gets there. A folder that is not shown itself is one that the box has made. */
  readonly canEnter: (folder: string, isShown: boolean) => boolean;
}

/** `./dir`, `--root=./dir`, `ROOT=./dir`. */
function relativePaths(word: string): readonly string[] {
  const value = word.slice(word.indexOf('=') + 1);
  return [...new Set([word, value])].filter((path) => path !== '' && !/^[-/~]/.test(path));
}

export function chooseWorkingFolder({ server, policy, canEnter }: WorkingOptions): WorkingFolder {
  const index = indexAccess(policy.files);
  const isShown = (path: string): boolean => accessAt(index, cleanPath(path)).read;
  // A folder that nothing of is shown is not there for the server either.
  const isThere = (folder: string): boolean =>
    isShown(folder) || [...index.keys()].some((path) => isWithin(path, cleanPath(folder)) && existsSync(path));
  const own = isShown(server.cwd) ? server.cwd : undefined;
  const { callerFolder } = server;
  if (callerFolder === undefined) return { cwd: own, problems: [] };
  const isHere = isThere(callerFolder);
  const isTaken = isHere && canEnter(callerFolder, isShown(callerFolder));
  const cwd = isTaken ? callerFolder : own;
  const remedyFor = (full: string): string => {
    if (!isShown(full)) return 'show it with --read or --write';
    return isHere ? 'the user of the box may not enter that folder' : 'name it by its full path';
  };
  const lost = server.argv.flatMap(relativePaths).filter((path) => {
    const full = resolve(callerFolder, path);
    return existsSync(full) && !(isShown(full) && cwd === callerFolder);
  });
  const problems = [...new Set(lost)].map((path) => {
    const shown = forTerminal(untrusted(path, 200));
    return `it will not find ${shown}, which is a path in ${callerFolder}: ${remedyFor(resolve(callerFolder, path))}`;
  });
  return { cwd, problems };
}
