import type { Issue } from '../contract.ts';
import { mergeComponents } from './builder.ts';
import type { Component, Graph } from './graph.ts';

const depth = (graph: Graph): number => graph.sources[0]?.split('/').length ?? 0;

/** One graph of several: the root is the one that lies highest, and a package that occurs in two is one. */
export function mergeGraphs(graphs: readonly Graph[], issues: readonly Issue[]): Graph {
  const sorted = [...graphs].sort((left, right) => depth(left) - depth(right));
  const root = sorted.find((graph) => graph.root.name !== 'target')?.root ?? sorted[0]?.root;
  const components = new Map<string, Component>();
  for (const component of sorted.flatMap((graph) => graph.components)) {
    const before = components.get(component.purl);
    components.set(component.purl, before === undefined ? component : mergeComponents(before, component));
  }
  const allIssues = [...issues, ...sorted.flatMap((graph) => graph.issues)];
  return {
    root: root ?? { name: 'target', version: undefined, ecosystem: 'npm' },
    direct: [...new Set(sorted.flatMap((graph) => graph.direct))].sort(),
    components: [...components.values()].sort((left, right) => (left.purl < right.purl ? -1 : 1)),
    sources: sorted.flatMap((graph) => graph.sources),
    isComplete: allIssues.length === 0 && sorted.length > 0 && sorted.every((graph) => graph.isComplete),
    issues: allIssues,
  };
}
