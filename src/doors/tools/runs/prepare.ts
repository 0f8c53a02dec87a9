import { readFile } from 'node:fs/promises';
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
import { readVersion } from '../version.ts';
import type { RunCaller } from './caller.ts';

/** What everybody who takes targets needs before it can begin. */

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

export async function makePlan(
  words: readonly string[],
  command: readonly string[],
  { caller }: Pick<RunCaller, 'caller'>,
): Promise<Plan> {
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  return planScan(words, command, {
    cwd: caller.folder,
    home: caller.homeFolder,
    platform,
    environment: caller.environment,
    searchPath: (caller.environment.PATH ?? '').split(':').filter((folder) => folder.startsWith('/')),
  });
}

export async function makeContext(
  wishes: TargetWishes,
  door: RunCaller,
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
