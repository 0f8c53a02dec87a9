import semver from 'semver';
import { asObject, type JsonObject } from '../../base/json-shape.ts';
import type { FetchContext } from '../ingest/fetch/contract.ts';
import type { DependencyGraph } from '../ingest/fetch/dependencies/contract.ts';
import { createNpmVersions, type ReadVersions } from '../ingest/fetch/dependencies/npm-resolver.ts';
import { resolveDependencies } from '../ingest/fetch/dependencies/resolve.ts';

/**
 * A release whose dependency was withdrawn cannot be installed by npm, and those who have it run it all the same. The
 * version that comes nearest is taken then, as with an override, and it is told.
 */

/** A prerelease in the range; else the newest of the same major version. */
function nearestOf(versions: readonly string[], range: string): string | null {
  const lowest = semver.validRange(range, { loose: true }) === null ? null : semver.minVersion(range, { loose: true });
  if (lowest === null) return null;
  const inRange = semver.maxSatisfying([...versions], range, { loose: true, includePrerelease: true });
  return inRange ?? semver.maxSatisfying([...versions], `${lowest.major}.x`, { loose: true });
}

export async function nearestVersions(
  { unresolved }: Pick<DependencyGraph, 'unresolved'>,
  readVersions: ReadVersions,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { name, range } of unresolved.filter(({ kind }) => kind === 'normal').slice(0, 8)) {
    const versions = await readVersions(name).catch(() => null);
    const nearest = versions === null ? null : nearestOf(versions.versions, range);
    if (nearest !== null) found.set(name, nearest);
  }
  return found;
}

export interface Mended {
  readonly graph: DependencyGraph;
  /** Versions to take where no other is known. */
  readonly overrides: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

export async function mendGraph(graph: DependencyGraph, manifest: JsonObject, context: FetchContext): Promise<Mended> {
  const isWhole = graph.unresolved.every(({ kind }) => kind !== 'normal');
  const overrides = isWhole ? new Map() : await nearestVersions(graph, await createNpmVersions(context));
  if (overrides.size === 0) return { graph, overrides, problems: [] };
  const dependencies = { ...asObject(manifest.dependencies), ...Object.fromEntries(overrides) };
  const mended = await resolveDependencies({ ecosystem: 'npm', manifest: { ...manifest, dependencies } }, context);
  const problems = [...overrides].map(
    ([name, version]) => `no release of ${JSON.stringify(name)} fits; ${JSON.stringify(version)} was taken`,
  );
  const unresolved = mended.unresolved.filter(({ name }) => !overrides.has(name));
  return { graph: { ...mended, unresolved }, overrides, problems };
}
