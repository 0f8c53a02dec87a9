import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedFile } from '../ingest/contract.ts';
import { mapBounded } from '../ingest/fetch/dependencies/pool.ts';
import { appFolder, type BoxFile, type FileSource, type InstallLimits } from './contract.ts';

/** Files of a folder on this machine as files of the box; those of one folder are read together. */

const groupFiles = 256;

export function folderSources(
  folder: string,
  files: readonly ListedFile[],
  limits: InstallLimits,
): { readonly sources: readonly FileSource[]; readonly problems: readonly string[] } {
  const kept: ListedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    bytes += file.sizeBytes;
    if (kept.length >= limits.mostFiles || bytes > limits.mostBytes) break;
    kept.push(file);
  }
  const problems =
    kept.length === files.length ? [] : [`only ${kept.length} of ${files.length} files fit into the box`];
  const groups = Array.from({ length: Math.ceil(kept.length / groupFiles) }, (_, at) =>
    kept.slice(at * groupFiles, (at + 1) * groupFiles),
  );
  const sources = groups.map(
    (group): FileSource => ({
      what: 'files of the target',
      read: async () => {
        const read = await mapBounded(group, 8, async ({ path, isExecutable }): Promise<BoxFile[]> => {
          const content = await readFile(join(folder, path)).catch(() => null);
          const mode = isExecutable ? 0o755 : 0o644;
          return content === null ? [] : [{ path: `${appFolder}/${path}`, bytes: content, mode }];
        });
        return read.flat();
      },
    }),
  );
  return { sources, problems };
}
