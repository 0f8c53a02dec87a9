import { UsageError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';
import { type BudgetName, budgetNames } from '../../../instruments/analyze/interrogate/trials/index.ts';
import { budgetTimes } from '../../../instruments/analyze/run/wishes.ts';

/** How long an analysis may take: by name, or in seconds, which then pick the name. */
export interface Budget {
  readonly budget: BudgetName;
  readonly mostMs: number;
  readonly patienceMs: number;
}

const longestSeconds = 24 * 60 * 60;

function readSeconds(text: string, flag: string, least: number, others = ''): number {
  const seconds = /^\d{1,6}(\.\d{1,3})?s?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (seconds >= least && seconds <= longestSeconds) return seconds * secondMs;
  const nearest = others === '' ? null : findNearest(text, budgetNames);
  throw new UsageError(
    `${flag} ${JSON.stringify(text.slice(0, 200))}: expected ${others}seconds from ${least} to ${longestSeconds}`,
    nearest === null ? {} : { hint: `did you mean ${nearest}?` },
  );
}

function readBudgetTime(text: string): Budget {
  const mostMs = readSeconds(text, '--budget', 1, `${budgetNames.join(', ')}, or `);
  const budget = budgetNames.find((name) => mostMs <= budgetTimes[name].mostMs) ?? 'deep';
  return { budget, ...budgetTimes[budget], mostMs };
}

export function readBudget(text: string | undefined, patience?: string): Budget {
  const name = budgetNames.find((known) => known === (text ?? 'standard'));
  const read = name === undefined ? readBudgetTime(text ?? '') : { budget: name, ...budgetTimes[name] };
  return patience === undefined ? read : { ...read, patienceMs: readSeconds(patience, '--patience', 0) };
}
