import type { Access, FileRule } from '../../base/policy-schema.ts';

/** What the rules of a policy give at one path. Write and execute both include read. */
export interface PathAccess {
  readonly read: boolean;
  readonly write: boolean;
  readonly execute: boolean;
}

export const noAccess: PathAccess = { read: false, write: false, execute: false };

/** One spelling per path: no doubled slashes, no "." parts, no slash at the end. */
export function cleanPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return path.startsWith('/') ? `/${parts.join('/')}` : parts.join('/');
}

/** True for the path itself and for everything below it. The box's own folders are roots of their own. */
export function isWithin(path: string, ancestor: string): boolean {
  if (ancestor === '/') return path.startsWith('/');
  return path === ancestor || path.startsWith(`${ancestor}/`);
}

function addAccess(access: PathAccess, more: Access): PathAccess {
  return { read: true, write: access.write || more === 'write', execute: access.execute || more === 'execute' };
}

export function unite(left: PathAccess, right: PathAccess): PathAccess {
  return {
    read: left.read || right.read,
    write: left.write || right.write,
    execute: left.execute || right.execute,
  };
}

export function isCovered(wanted: PathAccess, given: PathAccess): boolean {
  return (!wanted.read || given.read) && (!wanted.write || given.write) && (!wanted.execute || given.execute);
}

/** The folders above a path, the closest first. */
export function ancestorsOf(path: string): readonly string[] {
  const above: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) above.push(path.slice(0, end));
  if (path.startsWith('/') && path !== '/') above.push('/');
  return above;
}

/** What each path is given by rules of its own. */
export type AccessIndex = ReadonlyMap<string, PathAccess>;

export function indexAccess(rules: readonly FileRule[]): AccessIndex {
  const index = new Map<string, PathAccess>();
  for (const { path, access } of rules) {
    const clean = cleanPath(path);
    index.set(clean, addAccess(index.get(clean) ?? noAccess, access));
  }
  return index;
}

/** What holds at a path: the union of the rules on it and on its ancestors. */
export function accessAt(index: AccessIndex, path: string): PathAccess {
  return [path, ...ancestorsOf(path)].reduce((access, each) => unite(access, index.get(each) ?? noAccess), noAccess);
}

/** The end of a path comes before a slash, and a slash before every other character. */
function rankAt(path: string, at: number): number {
  if (at >= path.length) return -1;
  return path[at] === '/' ? 0 : path.charCodeAt(at) + 1;
}

/** Parents before children, and otherwise in an order that does not depend on how the policy was written. */
export function comparePaths(left: string, right: string): number {
  for (let at = 0; at < left.length || at < right.length; at += 1) {
    if (left[at] !== right[at]) return rankAt(left, at) - rankAt(right, at);
  }
  return 0;
}
