import { posix } from 'node:path';
import type { Policy } from '../../../base/policy-schema.ts';
import type { Compiled, Gap } from '../gap.ts';
import { ancestorsOf, comparePaths, isCovered, isWithin } from '../paths.ts';
import { isKernelFolder, layOut, type PathEntry, refusalGap } from './layout.ts';
import { airlockTarget, type Place } from './place.ts';

/** What is put where in a box's file tree. Shared by every backend that has a mount namespace. */

export interface BindMount {
  readonly kind: 'bind';
  readonly source: string;
  readonly target: string;
  readonly access: { readonly write: boolean; readonly execute: boolean };
  readonly type: 'file' | 'folder';
  /** Who owns the source: the host, the box itself, or Hotcell. */
  readonly of: 'host' | 'box' | 'hotcell';
}

export interface LinkMount {
  readonly kind: 'link';
  readonly target: string;
  readonly to: string;
}

/** A small file that is put into the root itself. */
export interface FileCopy {
  readonly kind: 'copy';
  readonly source: string;
  readonly target: string;
}

export type Mount = BindMount | LinkMount | FileCopy;

/** Folders of the root that every backend fills itself. */
export const ownFolders: readonly string[] = ['/proc', '/dev'];

/** Why something of the host cannot be put where a rule wants it; null when it can. */
function refusal(mount: Mount, place: Place): readonly [id: string, because: string] | null {
  if (mount.target === '/') return ['whole-root', 'the root folder cannot be given as a whole; name the folders in it'];
  if (isKernelFolder(mount.target)) return ['kernel-folder', 'the box has a /proc and a /dev of its own'];
  const files = place.identityFiles.map(({ target }) => target);
  const kept =
    [...Object.values(place.boxFolders), airlockTarget].find((path) => isWithin(path, mount.target)) ??
    [...files, airlockTarget].find((path) => isWithin(mount.target, path));
  return kept === undefined ? null : ['hidden-by-box', `the box's own ${kept} stands there`];
}

function bindOf(entry: PathEntry): BindMount {
  return {
    kind: 'bind',
    source: entry.source,
    target: entry.target,
    access: { write: entry.access.write, execute: entry.access.execute },
    type: entry.type === 'folder' ? 'folder' : 'file',
    of: entry.isBoxFolder ? 'box' : 'host',
  };
}

/** True when the real path is in the box anyway, with at least the same access. */
function isReachable(entry: PathEntry, others: readonly PathEntry[]): boolean {
  return others.some(
    (other) =>
      other !== entry &&
      other.link === null &&
      !other.isBoxFolder &&
      other.type === 'folder' &&
      isWithin(entry.source, other.target) &&
      isCovered(entry.access, other.access),
  );
}

/**
 * A link stays a link where it leads to something in the box, and what it leads to is put in its place where not.
 * Below a folder or a link of the host nothing can be made: a link is there already, and what it leads to is put where
 * it really is.
 */
function mountOf(entry: PathEntry, others: readonly PathEntry[]): Mount | null {
  if (entry.link === null || entry.isBoxFolder) return bindOf(entry);
  const isBelow = others.some(
    ({ target, isBoxFolder }) => !isBoxFolder && target !== entry.target && isWithin(entry.target, target),
  );
  if (!isReachable(entry, others)) return bindOf(isBelow ? { ...entry, target: entry.source } : entry);
  if (isBelow) return null;
  const isDirect = posix.resolve(posix.dirname(entry.target), entry.link) === entry.source;
  return { kind: 'link', target: entry.target, to: isDirect ? entry.link : entry.source };
}

/** Leaves out what the closest mount above gives already. The three folders of the box always have their own. */
function withoutRedundant(mounts: readonly Mount[], place: Place): Mount[] {
  const folders: readonly string[] = Object.values(place.boxFolders);
  const kept: Mount[] = [];
  // The mounts that the current one lies in, the closest last: parents come before their children.
  const path: Mount[] = [];
  for (const mount of mounts) {
    while (path.length > 0 && !isWithin(mount.target, path.at(-1)?.target ?? '/')) path.pop();
    const above = path.at(-1);
    const isSame =
      above?.kind === 'bind' &&
      mount.kind === 'bind' &&
      mount.source === `${above.source}${mount.target.slice(above.target.length)}` &&
      above.access.write === mount.access.write &&
      above.access.execute === mount.access.execute;
    const isDoubled = above?.target === mount.target;
    if (isDoubled || (isSame && !folders.includes(mount.target))) continue;
    kept.push(mount);
    path.push(mount);
  }
  return kept;
}

function ownMounts(place: Place): BindMount[] {
  const access = { write: false, execute: false };
  const files = [...place.identityFiles, { source: place.airlock.script, target: airlockTarget }];
  return files.map(({ source, target }) => ({ kind: 'bind', source, target, access, type: 'file', of: 'hotcell' }));
}

export function compileMounts(policy: Policy, place: Place): Compiled<readonly Mount[]> {
  const layout = layOut(policy, place);
  const gaps: Gap[] = [...layout.gaps];
  const isPossible = (mount: Mount, entry: PathEntry): boolean => {
    const refused = entry.isBoxFolder ? null : refusal(mount, place);
    if (refused !== null) gaps.push(refusalGap(entry, refused));
    return refused === null;
  };
  const own = ownMounts(place);
  const entries = layout.entries.filter(
    (entry) => !own.some(({ target }) => target === entry.target) && isPossible(bindOf(entry), entry),
  );
  const wanted = entries.flatMap((entry): Mount[] => {
    const mount = mountOf(entry, entries);
    return mount !== null && isPossible(mount, entry) ? [mount] : [];
  });
  const mounts = withoutRedundant(
    wanted.sort((left, right) => comparePaths(left.target, right.target)),
    place,
  );
  return { value: withCopies([...mounts, ...placeOwn(own, mounts, place, gaps)], place), gaps };
}

/** Only what lies in the root itself can be copied: below a mount, and in /proc, it has to be a mount too. */
function withCopies(mounts: readonly Mount[], place: Place): readonly Mount[] {
  const { copyable } = place;
  if (copyable === undefined) return mounts;
  const folders = new Set(
    mounts.flatMap((mount) => (mount.kind === 'bind' && mount.type === 'folder' ? [mount.target] : [])),
  );
  return mounts.map((mount) => {
    const isPlain = mount.kind === 'bind' && mount.type === 'file' && !mount.access.write && !mount.access.execute;
    if (!isPlain || !copyable.has(mount.source)) return mount;
    if (ancestorsOf(mount.target).some((path) => ownFolders.includes(path) || folders.has(path))) return mount;
    return { kind: 'copy', source: mount.source, target: mount.target };
  });
}

/** Files that Hotcell puts over a folder of the host need something there to be put over. */
function placeOwn(own: readonly BindMount[], mounts: readonly Mount[], place: Place, gaps: Gap[]): BindMount[] {
  return own
    .filter(({ target }) => {
      const above = mounts.findLast((mount) => isWithin(target, mount.target));
      const isPossible = above?.kind !== 'bind' || above.of !== 'host' || place.pathFacts.get(target)?.type === 'file';
      if (!isPossible) {
        const what = `the box sees no ${target} of its own: the folder above it is the host's and has none`;
        gaps.push({ id: 'identity', path: 'files', what, effect: 'open' });
      }
      return isPossible;
    })
    .sort((left, right) => comparePaths(left.target, right.target));
}
