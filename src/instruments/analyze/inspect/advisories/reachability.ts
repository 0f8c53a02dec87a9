import type { Graph } from '../sbom/index.ts';
import { normalisePythonName } from '../sbom/index.ts';
import type { ImportedPackages } from './imported-packages.ts';

/**
 * Whether the server's own code can come to a package at all:
 * `imported` by name, `through` a package that is, `not-imported` by either, or `unknown` where the code does not tell.
 */
export type Reachability = 'imported' | 'through' | 'not-imported' | 'unknown';

export function reachabilities(graph: Graph, imported: ImportedPackages): ReadonlyMap<string, Reachability> {
  const byPurl = new Map(graph.components.map((component) => [component.purl, component]));
  const own = graph.components.filter(({ ecosystem, name }) =>
    ecosystem === 'npm' ? imported.npm.has(name) : imported.pypi.has(normalisePythonName(name)),
  );
  const through = new Set<string>();
  const waiting = own.map(({ purl }) => purl);
  for (let purl = waiting.pop(); purl !== undefined; purl = waiting.pop()) {
    if (through.has(purl)) continue;
    through.add(purl);
    waiting.push(...(byPurl.get(purl)?.dependsOn ?? []));
  }
  const direct = new Set(own.map(({ purl }) => purl));
  return new Map(
    graph.components.map(({ purl, ecosystem }) => {
      if (direct.has(purl)) return [purl, 'imported'];
      if (through.has(purl)) return [purl, 'through'];
      // A Python module can have any name, and a bundle has swallowed its imports: absence then proves nothing.
      const isTold = ecosystem === 'npm' && imported.hasJavaScript && !imported.isBundled && graph.isComplete;
      return [purl, isTold ? 'not-imported' : 'unknown'];
    }),
  );
}
