import { UsageError } from '../../../base/errors.ts';
import { quote } from '../../../engine/policy/read/problem.ts';

/** What is wrong with a scope file, and where. */
export interface ScopeProblem {
  /** `targets[2]`; empty for the whole. */
  readonly path: string;
  readonly what: string;
}

export const mostProblemsTold = 50;

export const leastScope =
  '{"targets":["127.0.0.1"],"authorization":{"by":"who allowed it","reference":"where that is written"}}';

/** All faults at once, one line each. */
export function refuseScope(file: string, problems: readonly ScopeProblem[]): never {
  const told = problems
    .slice(0, mostProblemsTold)
    .map(({ path, what }) => `  ${path === '' ? 'the scope' : path}: ${what}`);
  const rest = problems.length - told.length;
  if (rest > 0) told.push(`  and ${rest} more`);
  throw new UsageError([`${quote(file)} is not a scope:`, ...told].join('\n'), { hint: `The least is ${leastScope}` });
}
