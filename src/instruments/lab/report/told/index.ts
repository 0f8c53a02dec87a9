import type { LabReport } from '../schema.ts';
import { generalAnalysers } from './hints.ts';
import { isTelling, type ToldFacts, tellFacts } from './tell-facts.ts';

export type { ToldFacts, ToldTable, ToldText } from './tell-facts.ts';

/** `main`: what the analysers for its kind say; `general`: those for every file, and the tools. */
export function tellReport({ analysers, tools }: Pick<LabReport, 'analysers' | 'tools'>): {
  readonly main: readonly ToldFacts[];
  readonly general: readonly ToldFacts[];
} {
  const own = analysers.map(({ id, facts }) => tellFacts(id, facts)).filter(isTelling);
  const others = tools.map(({ id, facts }) => ({ ...tellFacts(id, facts), title: `tool ${id}` })).filter(isTelling);
  return {
    main: own.filter(({ id }) => !generalAnalysers.has(id)),
    general: [...own.filter(({ id }) => generalAnalysers.has(id)), ...others],
  };
}
