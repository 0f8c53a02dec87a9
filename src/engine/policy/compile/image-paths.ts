import type { Policy } from '../../../base/policy-schema.ts';
import type { Gap } from '../gap.ts';
import {
  accessAt,
  ancestorsOf,
  cleanPath,
  comparePaths,
  indexAccess,
  isCovered,
  isWithin,
  type PathAccess,
} from '../paths.ts';
import { pathGap } from './foreign-gaps.ts';
import { isKernelFolder } from './layout.ts';

/**
 * The rules about files for a container that is made from somebody's image. Programs and libraries are the image's own:
 * those of the host put over them would not fit, so rules about the system's folders become nothing and are told. The
 * folders of the box are not the host's either; each form says what they become.
 */

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc'];

export interface ImagePath {
  /** Position of the first rule on the path. */
  readonly rule: number;
  readonly path: string;
  readonly access: PathAccess;
}

export interface ImagePaths {
  /** Paths of the host to mount, parents before children. */
  readonly host: readonly ImagePath[];
  /** Paths that begin with {home}, {work} or {tmp}. */
  readonly box: readonly ImagePath[];
  readonly gaps: readonly Gap[];
}

function refusal(path: string): readonly [id: string, because: string] | null {
  if (path === '/') return ['whole-root', "the root folder is the image's own"];
  if (isKernelFolder(path)) return ['kernel-folder', 'a container has a /proc and a /dev of its own'];
  return null;
}

function isSystem(path: string): boolean {
  return systemFolders.some((folder) => isWithin(path, folder));
}

/** A path below another one that gives the same needs no line of its own. */
function withoutRedundant(paths: readonly ImagePath[]): readonly ImagePath[] {
  const known = new Map(paths.map((each) => [each.path, each.access]));
  return paths.filter(({ path, access }) => {
    const above = ancestorsOf(path).find((each) => known.has(each));
    return above === undefined || !isCovered(access, known.get(above) ?? access);
  });
}

export function imagePaths({ files }: Policy): ImagePaths {
  const index = indexAccess(files);
  const first = new Map<string, number>();
  for (const [at, { path }] of files.entries()) if (!first.has(cleanPath(path))) first.set(cleanPath(path), at);
  const all = Array.from(first, ([path, rule]) => ({ path, rule, access: accessAt(index, path) })).sort((one, other) =>
    comparePaths(one.path, other.path),
  );
  const gaps: Gap[] = [];
  const system = all.filter(({ path }) => isSystem(path));
  if (system.length > 0) {
    const what = `${system.length} paths of the system are not the host's but the image's own, and all of the image can be read`;
    gaps.push({ id: 'image-files', path: 'files', what, effect: 'open' });
  }
  const rest = all.filter(({ path, rule }) => {
    const refused = refusal(path);
    if (refused !== null) gaps.push(pathGap(rule, path, ...refused));
    return refused === null && !isSystem(path);
  });
  return {
    host: withoutRedundant(rest.filter(({ path }) => path.startsWith('/'))),
    box: withoutRedundant(rest.filter(({ path }) => path.startsWith('{'))),
    gaps,
  };
}
