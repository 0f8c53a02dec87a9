import { z } from 'zod';
import { readRules } from '../../../../base/rules-folder.ts';
import type { Trial } from './contract.ts';
import { type AllTrials, byScore, type NotTried } from './make-trials.ts';

/** How much of what could be tried is tried, and a list of what is not. */

export const budgetNames = ['quick', 'standard', 'deep'] as const;
export type BudgetName = (typeof budgetNames)[number];

const limitSchema = z.strictObject({ perPosition: z.number().int().min(1), total: z.number().int().min(1) });
const fileSchema = z.strictObject({
  note: z.string(),
  budgets: z.strictObject({ quick: limitSchema, standard: limitSchema, deep: limitSchema }),
});

export type TrialBudget = z.infer<typeof limitSchema>;

export function readBudgets(): Readonly<Record<BudgetName, TrialBudget>> {
  return readRules('trials/budgets.json', fileSchema).budgets;
}

function over({ class: kind, payload, tool, position }: Trial): NotTried {
  return { class: kind, payload, tool, pointer: position.pointer, reason: 'over-budget' };
}

/** Of the trials of one position, how many may be of one class: there is more than one way to be weak. */
const classShare = 0.75;

/** For all tools of a run together: the likeliest trials come first, whichever tool they belong to. */
export function withinBudget(all: readonly AllTrials[], budget: TrialBudget): AllTrials {
  const used = new Map<string, number>();
  const trials: Trial[] = [];
  const notTried: NotTried[] = all.flatMap((each) => each.notTried);
  for (const trial of byScore(all.flatMap((each) => each.trials))) {
    const place = `${trial.tool}\n${trial.position.pointer}`;
    const count = used.get(place) ?? 0;
    const ofClass = used.get(`${place}\n${trial.class}`) ?? 0;
    const isFull = count >= budget.perPosition || ofClass >= Math.ceil(budget.perPosition * classShare);
    if (trials.length >= budget.total || isFull) {
      notTried.push(over(trial));
      continue;
    }
    used.set(place, count + 1);
    used.set(`${place}\n${trial.class}`, ofClass + 1);
    trials.push(trial);
  }
  return { trials, notTried };
}
