import type { DependencyEdge, DependencyGraph } from '../../../targets/ingest/fetch/dependencies/contract.ts';
import { buildGraph, type Lock, type LockEntry } from '../inspect/sbom/builder.ts';
import type { ComponentHash, Ecosystem, Graph } from '../inspect/sbom/graph.ts';
import { hashesOfIntegrity } from '../inspect/sbom/integrity.ts';

/** What an install would bring today, in the form that a lock file would have given. */

const keyOf = (name: string, version: string): string => `${name}@${version}`;

function needsOf(edges: readonly DependencyEdge[], isWanted: (edge: DependencyEdge) => boolean): string[] {
  return edges.flatMap((edge) =>
    isWanted(edge) && edge.version !== undefined ? [keyOf(edge.name, edge.version)] : [],
  );
}

function hashesOf(integrity: string | undefined): readonly ComponentHash[] {
  return integrity === undefined ? [] : hashesOfIntegrity(integrity);
}

export function graphOfDependencies(
  root: { readonly name: string; readonly version: string | undefined; readonly ecosystem: Ecosystem },
  resolved: DependencyGraph,
  path: string,
): Graph {
  const entries = resolved.packages.map(
    ({ name, version, integrity, licence, dependencies }): LockEntry => ({
      key: keyOf(name, version),
      name,
      version,
      hashes: hashesOf(integrity),
      licences: licence === undefined ? [] : [licence],
      needs: needsOf(dependencies, ({ kind }) => kind === 'normal'),
      optionallyNeeds: needsOf(dependencies, ({ kind }) => kind !== 'normal'),
    }),
  );
  const missing = resolved.unresolved.filter(({ kind }) => kind === 'normal');
  const lock: Lock = {
    ecosystem: root.ecosystem,
    root: { name: root.name, version: root.version },
    entries,
    direct: needsOf(resolved.direct, ({ kind }) => kind !== 'optional'),
    directDevelopment: [],
    directOptional: needsOf(resolved.direct, ({ kind }) => kind === 'optional'),
    problems: missing
      .slice(0, 50)
      .map(({ name, range, why }) => `needs ${name} ${range}, which cannot be resolved: ${why}`),
    isPartial: !resolved.isComplete,
  };
  return buildGraph(lock, path);
}
