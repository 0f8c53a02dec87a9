import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeError, UsageError } from '../../../base/errors.ts';
import { type Baseline, emptyBaseline, parseBaseline } from '../../../evidence/baseline.ts';
import {
  advisorySources,
  type Plan,
  planScan,
  type ScanContext,
  scanFolders,
} from '../../../instruments/analyze/scan/index.ts';
import type { Door } from '../definition.ts';
import { readVersion } from '../version.ts';

/** What every command that takes targets needs before it can begin. */

export interface TargetWishes {
  readonly baseline?: string | undefined;
  readonly offline: boolean;
}

async function readBaseline(path: string | undefined, folder: string): Promise<Baseline> {
  if (path === undefined) return emptyBaseline;
  const text = await readFile(resolve(folder, path), 'utf8').catch((cause: unknown) => {
    throw new UsageError(`cannot read the baseline ${JSON.stringify(path)}: ${describeError(cause)}`, { cause });
  });
  return parseBaseline(text, path);
}

/** The words of a command that stand before `--`. */
export function ownWords(words: readonly string[], { trailing }: Door): readonly string[] {
  return words.slice(0, words.length - trailing.length);
}

export async function makePlan(own: readonly string[], { trailing, caller }: Door): Promise<Plan> {
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  return planScan(own, trailing, {
    cwd: caller.folder,
    home: caller.homeFolder,
    platform,
    environment: caller.environment,
    searchPath: (caller.environment.PATH ?? '').split(':').filter((folder) => folder.startsWith('/')),
  });
}

export async function makeContext(
  wishes: TargetWishes,
  door: Door,
  onProgress: (what: string) => void,
): Promise<ScanContext> {
  const { caller, settings } = door;
  const fetching = {
    cwd: caller.folder,
    home: caller.homeFolder,
    environment: caller.environment,
    isOffline: wishes.offline,
    ...scanFolders(settings.values.home),
  };
  return {
    ...fetching,
    now: new Date(),
    toolVersion: await readVersion(),
    sources: await advisorySources(settings.values.home, fetching),
    baseline: await readBaseline(wishes.baseline, caller.folder),
    resolvesDependencies: !wishes.offline,
    onProgress,
  };
}

export async function writeFileOrFail(path: string, folder: string, text: string): Promise<void> {
  await writeFile(resolve(folder, path), text).catch((cause: unknown) => {
    throw new UsageError(`cannot write ${JSON.stringify(path)}: ${describeError(cause)}`, { cause });
  });
}
