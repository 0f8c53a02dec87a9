import { minuteMs, secondMs } from '../../../base/limits.ts';
import type { BudgetName } from '../interrogate/trials/index.ts';
import type { AnalyzeWishes } from './contract.ts';

/** How long a budget lets calls and trials take, and how long a server that does nothing is watched. */
export const budgetTimes: Readonly<Record<BudgetName, Pick<AnalyzeWishes, 'mostMs' | 'patienceMs'>>> = {
  quick: { mostMs: 10 * secondMs, patienceMs: 1 * secondMs },
  standard: { mostMs: 25 * secondMs, patienceMs: 4 * secondMs },
  deep: { mostMs: 15 * minuteMs, patienceMs: 45 * secondMs },
};

/** What is wanted when nobody says otherwise. */
export const usualWishes: AnalyzeWishes = {
  budget: 'standard',
  ...budgetTimes.standard,
  environment: {},
  args: [],
  props: [],
  headers: {},
  hasNetwork: true,
  model: null,
  seed: 'hotcell',
};
