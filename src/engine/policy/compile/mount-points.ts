import { ancestorsOf } from '../paths.ts';
import { type BindMount, type Mount, ownFolders } from './mounts.ts';

/** Something empty that must stand in a folder of the host before a box can start. */
export interface MountPoint {
  /** Absolute path on the host. */
  readonly at: string;
  readonly type: 'file' | 'folder' | 'link' | 'copy';
  /** Where a link leads, or what is copied. */
  readonly to?: string;
}

function hostPlaceOf(target: string, binds: ReadonlyMap<string, BindMount>, rootFolder: string): string | null {
  const above = ancestorsOf(target).flatMap((path) => binds.get(path) ?? [])[0];
  if (above === undefined) return `${rootFolder}${target}`;
  // Below a folder of the host nothing is made: the compiler has taken care that it is there.
  return above.of === 'box' ? `${above.source}${target.slice(above.target.length)}` : null;
}

/** What has to be made before the mounts can be: in the root folder, or in a folder of the box that another lies in. */
export function mountPoints(mounts: readonly Mount[], rootFolder: string): readonly MountPoint[] {
  const points: MountPoint[] = ownFolders.map((folder) => ({ at: `${rootFolder}${folder}`, type: 'folder' }));
  const binds = new Map(mounts.flatMap((mount) => (mount.kind === 'bind' ? [[mount.target, mount] as const] : [])));
  for (const mount of mounts) {
    const at = hostPlaceOf(mount.target, binds, rootFolder);
    if (at === null) continue;
    if (mount.kind === 'bind') points.push({ at, type: mount.type });
    else if (mount.kind === 'link') points.push({ at, type: 'link', to: mount.to });
    else points.push({ at, type: 'copy', to: mount.source });
  }
  return points;
}
