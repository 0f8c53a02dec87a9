import type { FetchContext } from '../contract.ts';
import type { Fields } from '../npm-metadata.ts';
import { createPipSource } from '../pip-source.ts';
import { findPythonVersion } from '../python-version.ts';
import { type DependencyGraph, defaultResolveLimits, type ResolveLimits } from './contract.ts';
import { markerEnvironment } from './markers.ts';
import { createNpmVersions, resolveNpm } from './npm-resolver.ts';
import { createPypiReader } from './pypi-reader.ts';
import { resolvePypi } from './pypi-resolver.ts';

/** What the target says it needs: its `package.json`, or the requirements in its Python metadata. */
export type DependencyWish =
  | { readonly ecosystem: 'npm'; readonly manifest: Fields }
  | { readonly ecosystem: 'pypi'; readonly requires: readonly string[]; readonly extras: readonly string[] };

/** For a target without a lock file: what an install would bring today, from the registries' metadata. */
export async function resolveDependencies(
  wish: DependencyWish,
  context: FetchContext,
  limits: Partial<ResolveLimits> = {},
): Promise<DependencyGraph> {
  const all: ResolveLimits = { ...defaultResolveLimits, ...limits };
  if (wish.ecosystem === 'npm') return resolveNpm(wish.manifest, await createNpmVersions(context), all);
  const environment = markerEnvironment(await findPythonVersion(context));
  const reader = createPypiReader(createPipSource(context));
  return resolvePypi(wish.requires, wish.extras, reader, environment, all);
}
