import { readFileSync } from 'node:fs';
import { fingerprint } from '../../../../base/fingerprint.ts';
import { asArray, asObject } from '../../../../base/json-shape.ts';
import { rulesFile } from '../../../../base/rules-folder.ts';
import type { Phrases } from '../../../../targets/wording/phrases.ts';
import type { Clause } from '../pattern/required.ts';
import { type PhrasePlan, planPhrases } from './phrase-plan.ts';

/**
 * The plan, worked out ahead: a client waits for its server while it would be made. The file is written by `npm run docs`
 * from the phrases; when it is not about exactly these, the plan is made anew.
 */

export const planFile = 'metadata/phrase-plan.json';

function nameOf({ patterns }: Phrases): string {
  return fingerprint(patterns.map(({ match }) => match.source));
}

/** Clauses are shared by most phrases, so each is written once. */
export function writePlan(phrases: Phrases): string {
  const plan = planPhrases(phrases);
  const clauses: Clause[] = [];
  const ids = new Map<string, number>();
  const idOf = (clause: Clause): number => {
    const key = JSON.stringify(clause);
    const known = ids.get(key) ?? clauses.push(clause) - 1;
    ids.set(key, known);
    return known;
  };
  const kept = {
    note: 'made by npm run docs from phrases.json',
    phrases: nameOf(phrases),
    screened: plan.screened.map(({ clauses, words, isCrossing }) => [
      clauses.map(idOf),
      words.map(idOf),
      isCrossing ? 1 : 0,
    ]),
    demands: plan.demands.map(({ rarest, others, signs }) => [idOf(rarest), others.map(idOf), signs]),
    nearbyOf: plan.nearbyOf,
    wide: plan.wide.map(({ text, phrase }) => [text, phrase]),
    unscreened: plan.unscreened,
    clauses,
  };
  return `${JSON.stringify(kept)}\n`;
}

interface KeptPlan {
  readonly screened: readonly (readonly [readonly number[], readonly number[], number])[];
  readonly demands: readonly (readonly [number, readonly number[], readonly number[]])[];
  readonly nearbyOf: readonly number[];
  readonly wide: readonly (readonly [string, number])[];
  readonly unscreened: readonly string[];
  readonly clauses: readonly Clause[];
}

export function readPlan(phrases: Phrases): PhrasePlan {
  let kept: unknown;
  try {
    kept = JSON.parse(readFileSync(rulesFile(planFile), 'utf8'));
  } catch {
    return planPhrases(phrases);
  }
  if (asObject(kept).phrases !== nameOf(phrases) || asArray(asObject(kept).clauses).length === 0)
    return planPhrases(phrases);
  // Ours, and about these phrases: its shape is known.
  const { screened, demands, nearbyOf, wide, unscreened, clauses } = kept as KeptPlan;
  const clauseOf = (id: number): Clause => clauses[id] ?? [];
  return {
    screened: screened.map(([needed, words, isCrossing]) => ({
      clauses: needed.map(clauseOf),
      words: words.map(clauseOf),
      isCrossing: isCrossing === 1,
    })),
    demands: demands.map(([rarest, others, signs]) => ({
      rarest: clauseOf(rarest),
      others: others.map(clauseOf),
      signs,
    })),
    nearbyOf,
    wide: wide.map(([text, phrase]) => ({ text, phrase })),
    unscreened,
  };
}
