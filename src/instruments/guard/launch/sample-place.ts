import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PrepareOptions } from './contract.ts';

/** A home folder, a folder of work and a search path of their own, for tests. Nothing in them is ever run. */

export interface SamplePlace {
  readonly folder: string;
  readonly work: string;
  readonly options: PrepareOptions;
  write(path: string, content: string, mode?: number): string;
}

/** `programs` are put on the search path; `node` is there always. */
export function samplePlace(programs: readonly string[] = []): SamplePlace {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-launch-'));
  const write = (path: string, content: string, mode = 0o644): string => {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content, { mode });
    return full;
  };
  for (const name of ['node', ...programs]) write(`tools/bin/${name}`, '\x7fELF', 0o755);
  const work = join(folder, 'user/work');
  mkdirSync(work, { recursive: true });
  const options: PrepareOptions = {
    home: join(folder, 'hotcell'),
    fetch: {
      cwd: work,
      home: join(folder, 'user'),
      environment: { PATH: join(folder, 'tools/bin') },
      cacheFolder: join(folder, 'cache'),
      isOffline: true,
    },
    box: { backend: 'auto', runtimeFolder: join(folder, 'run') },
  };
  return { folder, work, options, write };
}
