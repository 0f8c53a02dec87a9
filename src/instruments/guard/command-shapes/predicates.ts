import type { Predicate } from './contract.ts';
import { shapeRules } from './rules.ts';

/** Names under which a few of the shapes were asked for before there was a table of all. */
export const predicates: readonly Predicate[] = shapeRules.predicates;

export function findPredicate(id: string): Predicate | undefined {
  return predicates.find((predicate) => predicate.id === id.toLowerCase());
}
