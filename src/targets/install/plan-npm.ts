import { existsSync } from 'node:fs';
import type { JsonObject } from '../../base/json-shape.ts';
import type { Artefact, Registry } from '../../engine/net/index.ts';
import { searchPath } from '../../engine/policy/tier-environment.ts';
import type { Ingested } from '../ingest/contract.ts';
import type { FetchContext } from '../ingest/fetch/contract.ts';
import type { DependencyGraph } from '../ingest/fetch/dependencies/contract.ts';
import { resolveDependencies } from '../ingest/fetch/dependencies/resolve.ts';
import { appFolder, type InstallLimits, type InstallOptions, type InstallPlan, type InstallStep } from './contract.ts';
import { type NpmArchives, openNpmArchives } from './npm-archives.ts';
import { mendGraph } from './npm-mend.ts';
import { type ScriptHolder, scriptSteps } from './npm-scripts.ts';
import { programPaths, scriptHolders, treeSources, trimProblems } from './npm-sources.ts';
import { growTree, keyOf, type NpmTree } from './npm-tree.ts';

/** A package of an npm registry, with everything that it depends on, as `npm install NAME` would put it there. */

type Context = FetchContext;

/** Inspection has asked the registry a moment ago: what it was told is in the cache, and need not be asked for again. */
export async function resolveNpmGraph(manifest: JsonObject, context: Context): Promise<DependencyGraph> {
  try {
    const kept = await resolveDependencies({ ecosystem: 'npm', manifest }, { ...context, isOffline: true });
    if (kept.unresolved.every(({ kind }) => kind !== 'normal')) return kept;
  } catch {
    // Something is not in the cache.
  }
  return resolveDependencies({ ecosystem: 'npm', manifest }, context);
}

const npmFolders = ['/usr/lib/node_modules/npm', '/usr/local/lib/node_modules/npm', '/usr/share/nodejs/npm'];
const builderFolder = 'node_modules/@npmcli/run-script/lib/node-gyp-bin';

/** npm brings a program to build native parts, and puts it behind the others. */
export function scriptSearchPath(): string {
  const found = npmFolders.map((folder) => `${folder}/${builderFolder}`).find((folder) => existsSync(folder));
  return found === undefined ? searchPath : `${searchPath}:${found}`;
}

export function stepsOf(holders: readonly ScriptHolder[], limits: InstallLimits): readonly InstallStep[] {
  const options = { timeoutMs: limits.stepMs, searchPath: scriptSearchPath() };
  const steps = holders.flatMap((holder) =>
    scriptSteps(holder, holder.hasBindings ? { ...options, timeoutMs: limits.buildMs } : options),
  );
  return steps.slice(-limits.mostSteps);
}

/** The target first, and those whose scripts may ask for more; the rest is in place already. */
export function registriesOf(
  { packages }: NpmTree,
  archives: NpmArchives,
  first: string | null,
  limits: InstallLimits,
): readonly Registry[] {
  const asked = [...packages].filter(([key, each]) => key === first || each.hasBindings || hasScripts(each.manifest));
  const artefacts: Artefact[] = [];
  let bytes = 0;
  for (const [, { name, version, archive, manifest }] of asked) {
    bytes += archive.length;
    if (bytes > limits.mostRegistryBytes) break;
    const fileName = `${name.split('/').at(-1)}-${version}.tgz`;
    artefacts.push({ name, version, fileName, base64: archive.toString('base64'), manifest });
  }
  return archives.hosts.length === 0 ? [] : [{ kind: 'npm', hosts: archives.hosts, artefacts }];
}

function hasScripts(manifest: JsonObject): boolean {
  return (
    scriptSteps({ folder: '', manifest, hasBindings: false, isProject: false }, { timeoutMs: 0, searchPath }).length > 0
  );
}

/** A required package that nobody has; one that is optional is no loss. */
export function unresolvedProblems({ unresolved, isComplete }: DependencyGraph): readonly string[] {
  const lost = unresolved.filter(({ kind }) => kind === 'normal').slice(0, 20);
  return [
    ...lost.map(({ name, range, why }) => `needs ${JSON.stringify(name)} ${JSON.stringify(range)}: ${why}`),
    ...(isComplete ? [] : ['not every dependency could be looked up in time']),
  ];
}

export async function planNpmPackage(
  { resolved }: Pick<Ingested, 'resolved'>,
  manifest: JsonObject,
  context: Context,
  options: InstallOptions & { readonly limits: InstallLimits },
): Promise<InstallPlan> {
  const { limits, workFolder } = options;
  const { name, version = '0.0.0', integrity } = resolved;
  const archives = await openNpmArchives(context, workFolder);
  const resolvedNow = options.graph ?? (await resolveNpmGraph(manifest, context));
  const { graph, overrides, problems } = await mendGraph(resolvedNow, manifest, context);
  const target = { name, version, ...(integrity === undefined ? {} : { integrity }), dependencies: graph.direct };
  const project = { name: 'app', version: '1.0.0', private: true, dependencies: { [name]: version } };
  const direct = [{ name, range: version, kind: 'normal' as const, version }];
  const tree = await growTree({ manifest: project, direct, overrides, besides: [target] }, graph, archives, limits);
  const folder = `${appFolder}/node_modules/${name}`;
  const projectFile = {
    path: `${appFolder}/package.json`,
    bytes: Buffer.from(`${JSON.stringify(project)}\n`),
    mode: 0o644,
  };
  const own = tree.packages.get(keyOf(target));
  return {
    ecosystem: 'npm',
    registries: registriesOf(tree, archives, keyOf(target), limits),
    sources: [{ what: 'project', read: async () => [projectFile] }, ...treeSources(tree, keyOf(target), limits)],
    steps: stepsOf(scriptHolders(tree), limits),
    installed: { folder, programs: own === undefined ? [] : programPaths(own, folder) },
    packages: tree.packages.size - 1,
    problems: [...problems, ...tree.problems, ...trimProblems(tree, limits), ...unresolvedProblems(graph)],
    close: async () => undefined,
  };
}
