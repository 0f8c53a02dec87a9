import semver from 'semver';
import { asArray, asObject, type JsonObject } from '../../base/json-shape.ts';
import type { DependencyEdge, DependencyGraph, ResolvedPackage } from '../ingest/fetch/dependencies/contract.ts';
import { wantsOf } from '../ingest/fetch/dependencies/npm-packument.ts';
import { mapBounded } from '../ingest/fetch/dependencies/pool.ts';
import type { InstallLimits } from './contract.ts';
import type { NpmArchives, WantedArchive } from './npm-archives.ts';
import { type LayoutEdge, layOut, type Placed } from './npm-layout.ts';
import { fitsPlatform, isNamedForOther } from './npm-platform.ts';
import { readTarFiles } from './tar-files.ts';

/** The packages of a resolved graph with their archives, and where each belongs. */

export interface TreePackage extends WantedArchive {
  readonly manifest: JsonObject;
  readonly hasBindings: boolean;
  readonly files: number;
  readonly archive: Buffer;
}

export interface NpmTree {
  readonly packages: ReadonlyMap<string, TreePackage>;
  readonly placed: readonly Placed[];
  readonly problems: readonly string[];
}

export const keyOf = ({ name, version }: Pick<WantedArchive, 'name' | 'version'>): string => `${name}@${version}`;

function parseManifest(bytes: Uint8Array | undefined): JsonObject {
  try {
    return asObject(JSON.parse(Buffer.from(bytes ?? []).toString('utf8')));
  } catch {
    return {};
  }
}

export function readPackage(wanted: WantedArchive, archive: Buffer, mostBytes: number): TreePackage {
  const files = readTarFiles(archive, mostBytes);
  const manifest = parseManifest(files.find(({ path }) => path === 'package.json')?.bytes);
  return {
    ...wanted,
    archive,
    manifest,
    hasBindings: files.some(({ path }) => path === 'binding.gyp'),
    files: files.length,
  };
}

const alias = /^npm:(@?[^@]+)(?:@(.*))?$/;

/** The names are the manifest's, aliases included; the versions are those that were resolved. */
export function edgesOf(
  manifest: JsonObject,
  resolved: readonly DependencyEdge[],
  versions: ReadonlyMap<string, readonly string[]>,
  overrides: ReadonlyMap<string, string> = new Map(),
): readonly LayoutEdge[] {
  const edges = new Map<string, LayoutEdge>();
  const bundled = new Set([...asArray(manifest.bundleDependencies), ...asArray(manifest.bundledDependencies)]);
  for (const { name, range, kind } of wantsOf(manifest)) {
    const real = alias.exec(range);
    const [realName, realRange] = real === null ? [name, range] : [real[1] ?? '', real[2] ?? ''];
    const told = resolved.find((edge) => edge.name === realName && edge.range === range)?.version;
    const there = versions.get(realName) ?? [];
    const fitting =
      there.find((version) => semver.satisfies(version, realRange, { loose: true })) ?? overrides.get(realName);
    const version = told !== undefined && there.includes(told) ? told : fitting;
    if (version === undefined || edges.has(name) || bundled.has(name)) continue;
    edges.set(name, { name, key: keyOf({ name: realName, version }), isPeer: kind === 'peer' });
  }
  return [...edges.values()];
}

/** Reached by optional edges alone, and made for another machine. */
function needless(graph: DependencyGraph): ReadonlySet<string> {
  const all = [...graph.direct, ...graph.packages.flatMap(({ dependencies }) => dependencies)];
  const required = new Set(all.filter(({ kind }) => kind !== 'optional').map(({ name }) => name));
  return new Set(all.map(({ name }) => name).filter((name) => !required.has(name) && isNamedForOther(name)));
}

export interface TreeRoot {
  readonly manifest: JsonObject;
  readonly direct: readonly DependencyEdge[];
  /** For dependencies that nothing fits. */
  readonly overrides: ReadonlyMap<string, string>;
  /** Packages that the graph does not list, such as the target itself. */
  readonly besides: readonly (WantedArchive & { readonly dependencies: readonly DependencyEdge[] })[];
}

type Wanted = WantedArchive & Pick<ResolvedPackage, 'dependencies'>;

export async function growTree(
  root: TreeRoot,
  graph: DependencyGraph,
  archives: NpmArchives,
  limits: InstallLimits,
): Promise<NpmTree> {
  const problems: string[] = [];
  const skipped = needless(graph);
  const wanted: readonly Wanted[] = [...root.besides, ...graph.packages.filter(({ name }) => !skipped.has(name))];
  if (wanted.length > limits.mostPackages) problems.push(`only ${limits.mostPackages} of ${wanted.length} packages`);
  let bytes = 0;
  const read = await mapBounded(wanted.slice(0, limits.mostPackages), limits.concurrency, async (each) => {
    try {
      const archive = bytes > limits.mostBytes ? null : await archives.read(each);
      bytes += archive?.length ?? 0;
      if (archive === null || bytes > limits.mostBytes) throw new Error(`more than ${limits.mostBytes} bytes`);
      return readPackage(each, archive, limits.mostArchiveBytes);
    } catch (error) {
      problems.push(`${keyOf(each)}: ${(error as Error).message}`);
      return null;
    }
  });
  const packages = new Map(
    read.flatMap((each): [string, TreePackage][] =>
      each === null || !fitsPlatform(each.manifest) ? [] : [[keyOf(each), each]],
    ),
  );
  const versions = new Map<string, string[]>();
  for (const { name, version } of packages.values()) versions.set(name, [...(versions.get(name) ?? []), version]);
  const resolvedEdges = new Map(wanted.map((each) => [keyOf(each), each.dependencies]));
  const edges = new Map<string, readonly LayoutEdge[]>([
    ['', edgesOf(root.manifest, root.direct, versions, root.overrides)],
  ]);
  for (const [key, { manifest }] of packages) {
    edges.set(key, edgesOf(manifest, resolvedEdges.get(key) ?? [], versions, root.overrides));
  }
  const placed = layOut((key) => edges.get(key) ?? [], limits.mostPackages * 2);
  return { packages, placed, problems };
}
