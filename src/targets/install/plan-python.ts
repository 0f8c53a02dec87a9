import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ingested } from '../ingest/contract.ts';
import type { FetchContext } from '../ingest/fetch/contract.ts';
import { readPythonMetadata } from '../ingest/fetch/dependencies/python-metadata.ts';
import type { PypiTarget } from '../ingest/target/contract.ts';
import type { InstallLimits, InstallOptions, InstallPlan } from './contract.ts';
import { prepareEnvironment } from './python-environment.ts';

/** A package of a Python index, with everything that it requires, as `pip install NAME` would put it there. */

async function readRequires({ folder, manifests }: Ingested): Promise<readonly string[]> {
  const found = manifests.find(({ kind }) => kind === 'python-metadata');
  if (found === undefined) return [];
  return readPythonMetadata(await readFile(join(folder, found.path), 'utf8').catch(() => '')).requires;
}

export async function planPypiPackage(
  ingested: Ingested,
  { extras, name }: PypiTarget,
  context: FetchContext,
  { workFolder, limits }: InstallOptions & { readonly limits: InstallLimits },
): Promise<InstallPlan> {
  const work = await mkdtemp(join(workFolder, 'install-'));
  const close = (): Promise<void> => rm(work, { recursive: true, force: true });
  try {
    const version = ingested.resolved.version ?? '';
    const besides = [{ name, version }];
    const requires = await readRequires(ingested);
    const { venv, wheels, ...rest } = await prepareEnvironment(
      { requires, extras, besides, buildsProject: false },
      context,
      work,
      limits,
    );
    const own = wheels.find((wheel) => wheel.name === name);
    const { registries, sources, steps, packages, problems } = rest;
    return {
      ecosystem: 'pypi',
      registries,
      sources,
      steps,
      installed: {
        folder: venv.packages,
        programs: [
          `${venv.folder}/bin/python`,
          ...(own?.scripts ?? []).map((script) => `${venv.folder}/bin/${script.name}`),
        ],
      },
      packages,
      problems,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
