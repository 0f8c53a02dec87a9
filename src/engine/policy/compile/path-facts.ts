import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import type { Policy } from '../../../base/policy-schema.ts';
import { cleanPath } from '../paths.ts';
import { airlockPaths } from './airlock-paths.ts';
import type { PathFact, Place } from './place.ts';

/** Looks at the machine, so that the compilers need not. */

function typeOf(stats: Stats): 'file' | 'folder' | 'other' {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

function factOf(path: string): PathFact | null {
  try {
    const resolved = realpathSync.native(path);
    const resolvedType = typeOf(statSync(resolved));
    if (resolved === path) return { type: resolvedType };
    const target = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : resolved;
    return { type: 'link', target, resolved, resolvedType };
  } catch {
    // Missing, a broken link or out of our reach: it cannot be given to a box either way.
    return null;
  }
}

/** A box path such as `{work}/data` as a path of the host. */
export function hostPathOf(path: string, folders: Place['hostFolders']): string {
  const clean = cleanPath(path);
  const [, name, rest = ''] = /^\{(home|work|tmp)\}(\/.*)?$/s.exec(clean) ?? [];
  return name === undefined ? clean : cleanPath(`${folders[name as keyof typeof folders]}${rest}`);
}

/** The facts that every compiler may ask for: the paths of the rules, of the airlock, and of the files put over others. */
export function readPathFacts(
  policy: Policy,
  place: Pick<Place, 'hostFolders' | 'identityFiles' | 'architecture' | 'airlock'>,
): Map<string, PathFact> {
  const asked = [
    ...policy.files.map(({ path }) => hostPathOf(path, place.hostFolders)),
    ...airlockPaths(place),
    ...place.identityFiles.map(({ target }) => target),
  ];
  const facts = new Map<string, PathFact>();
  for (const path of new Set(asked)) {
    const fact = factOf(path);
    if (fact !== null) facts.set(path, fact);
  }
  return facts;
}
