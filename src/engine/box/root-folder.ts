import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MountPoint } from '../policy/index.ts';

/** Makes the empty files, folders and links that a box's mounts are laid on, and copies small files. */
export function makeMountPoints(points: readonly MountPoint[]): void {
  const made = new Set<string>();
  const makeFolder = (folder: string): void => {
    if (made.has(folder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    made.add(folder);
  };
  for (const { at, type, to } of points) {
    // Written in place already.
    if (type === 'copy' && to === at) continue;
    makeFolder(type === 'folder' ? at : dirname(at));
    try {
      if (type === 'file') writeFileSync(at, '', { flag: 'wx', mode: 0o644 });
      if (type === 'copy' && to !== undefined) copyFileSync(to, at);
      if (type === 'link' && to !== undefined) symlinkSync(to, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
