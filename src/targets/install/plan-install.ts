import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject, type JsonObject } from '../../base/json-shape.ts';
import type { Ingested } from '../ingest/contract.ts';
import type { FetchContext } from '../ingest/fetch/contract.ts';
import { defaultInstallLimits, type InstallOptions, type InstallPlan } from './contract.ts';
import { planNpmPackage } from './plan-npm.ts';
import { planProject } from './plan-project.ts';
import { planPypiPackage } from './plan-python.ts';

/** What an install of this target takes, whatever the target is. Nothing of it is run to find out. */

async function readManifest(folder: string): Promise<JsonObject | null> {
  try {
    return asObject(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  } catch {
    return null;
  }
}

export async function planInstall(
  ingested: Ingested,
  context: FetchContext,
  options: InstallOptions,
): Promise<InstallPlan> {
  const limits = { ...defaultInstallLimits, ...options.limits };
  // Settings of npm and pip that lie in the target are the target's, and not to be obeyed.
  const own = { ...context, targetFolder: ingested.folder };
  const all = { ...options, limits };
  await mkdir(options.workFolder, { recursive: true, mode: 0o700 });
  const target = ingested.target.kind === 'command' ? ingested.target.starts : ingested.target;
  if (target.kind === 'npm') return planNpmPackage(ingested, (await readManifest(ingested.folder)) ?? {}, own, all);
  if (target.kind === 'pypi') return planPypiPackage(ingested, target, own, all);
  return planProject(ingested, await readManifest(ingested.folder), own, all);
}
