import { type Depth, depths, type Kind } from '../../contract.ts';
import type { AnalyserEntry, Skipped } from './contract.ts';

export interface Choice {
  readonly chosen: readonly AnalyserEntry[];
  readonly skipped: readonly Skipped[];
}

export interface Wish {
  readonly kind: Kind;
  readonly depth: Depth;
  readonly only?: readonly string[];
}

function whyNot(entry: AnalyserEntry, { kind, depth, only }: Wish): string | null {
  if (only !== undefined && !only.includes(entry.id)) return 'not asked for';
  const kinds = [kind.id, ...(kind.also ?? [])];
  if (entry.kinds !== 'any' && !entry.kinds.some((id) => kinds.includes(id))) return `is for ${entry.kinds.join(', ')}`;
  if (only === undefined && depths.indexOf(entry.depth) > depths.indexOf(depth)) return `runs at depth ${entry.depth}`;
  return null;
}

/** Who runs, in the order of the list. An analyser that is named in `only` runs whatever the depth is. */
export function chooseAnalysers(entries: readonly AnalyserEntry[], wish: Wish): Choice {
  const looked = entries.map((entry) => ({ entry, because: whyNot(entry, wish) }));
  const unknown = (wish.only ?? []).filter((id) => !entries.some((entry) => entry.id === id));
  return {
    chosen: looked.flatMap(({ entry, because }) => (because === null ? [entry] : [])),
    skipped: [
      ...looked.flatMap(({ entry, because }) => (because === null ? [] : [{ analyser: entry.id, because }])),
      ...unknown.map((analyser) => ({ analyser, because: 'no such analyser' })),
    ],
  };
}
