import type { Routine } from './ref.ts';
import type { Analysis, Use } from './uses.ts';

export interface ReachedUse {
  readonly use: Use;
  /** From the handler to the function where it happens. */
  readonly way: readonly Routine[];
}

const deepestCall = 6;
const mostRoutines = 600;

/**
 * What the code behind a handler leads to. A function that serves several tools by name is entered by its common part and
 * by the branch of this tool alone.
 */
export function reachedFrom(
  handlers: readonly Routine[],
  { tool, tools }: { readonly tool: string; readonly tools: ReadonlySet<string> },
  analysis: Analysis,
): readonly ReachedUse[] {
  const found: ReachedUse[] = [];
  const seen = new Set<Routine>(handlers);
  const waiting: (readonly Routine[])[] = handlers.map((handler) => [handler]);
  for (let way = waiting.shift(); way !== undefined && seen.size < mostRoutines; way = waiting.shift()) {
    const routine = way.at(-1);
    if (routine === undefined) continue;
    for (const use of analysis.uses.get(routine) ?? []) found.push({ use, way });
    const enter = (next: Routine, nextWay: readonly Routine[]): void => {
      const names = analysis.branches.get(next) ?? [];
      const isOther = names.length > 0 && names.every((name) => name !== tool && tools.has(name));
      if (seen.has(next) || isOther) return;
      seen.add(next);
      waiting.push(nextWay);
    };
    for (const inner of routine.inner) enter(inner, [...way.slice(0, -1), inner]);
    if (way.length <= deepestCall)
      for (const target of analysis.targets.get(routine) ?? []) enter(target, [...way, target]);
  }
  return found;
}
