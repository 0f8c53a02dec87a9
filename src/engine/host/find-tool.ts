import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toolEnvironment } from '../../base/process.ts';

/** Folders that Hotcell starts host tools from. The caller's PATH has no say in it. */
export const toolFolders: readonly string[] = (toolEnvironment.PATH ?? '').split(':').filter((folder) => folder !== '');

/** Full path of a host program, or null where none of the folders has it as an executable file. */
export async function findTool(name: string, folders: readonly string[] = toolFolders): Promise<string | null> {
  if (name.includes('/')) return null;
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      if ((await stat(path)).isFile()) return path;
    } catch {
      // Not here: the next folder may have it.
    }
  }
  return null;
}
