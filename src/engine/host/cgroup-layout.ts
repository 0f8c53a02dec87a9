/** How control groups are mounted and where this process stands in them. Pure: text of /proc in, facts out. */

export interface CgroupMount {
  readonly version: 1 | 2;
  readonly path: string;
  /** Version 1 only: the controllers of this hierarchy. */
  readonly controllers: readonly string[];
}

export type CgroupMode = 'v1' | 'v2' | 'hybrid' | 'none';

/** Names of mount options that are not controllers. */
const plainOptions = /^(rw|ro|name=.*|xattr|clone_children|release_agent=.*|noprefix|cpuset_v2_mode|favordynmods)$/;

/** mountinfo spells blanks and backslashes in octal. */
function decodePath(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/**
 *     36 35 98:0 /root /mount-point options [optional…] - type source super-options
 */
export function parseCgroupMounts(mountInfo: string): readonly CgroupMount[] {
  return mountInfo.split('\n').flatMap((line): readonly CgroupMount[] => {
    const [before = '', after = ''] = line.split(' - ', 2);
    const path = before.split(' ')[4];
    const [type, , superOptions = ''] = after.split(' ');
    if (path === undefined || (type !== 'cgroup' && type !== 'cgroup2')) return [];
    if (type === 'cgroup2') return [{ version: 2, path: decodePath(path), controllers: [] }];
    const controllers = superOptions.split(',').filter((option) => option !== '' && !plainOptions.test(option));
    return [{ version: 1, path: decodePath(path), controllers }];
  });
}

export function cgroupMode(mounts: readonly CgroupMount[]): CgroupMode {
  const hasOne = mounts.some((mount) => mount.version === 1 && mount.controllers.length > 0);
  const hasTwo = mounts.some((mount) => mount.version === 2);
  if (hasOne) return hasTwo ? 'hybrid' : 'v1';
  return hasTwo ? 'v2' : 'none';
}

/** Own place per controller from /proc/self/cgroup; version 2 stands under the empty name. */
export function parseOwnCgroups(text: string): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, names, ...rest] = line.split(':');
    if (names === undefined || rest.length === 0) continue;
    for (const name of names.split(',')) places.set(name, rest.join(':'));
  }
  return places;
}
