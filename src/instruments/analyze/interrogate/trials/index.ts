export { type BudgetName, budgetNames, readBudgets, type TrialBudget, withinBudget } from './budget.ts';
export { readTrialClasses, type TrialClass } from './class-file.ts';
export type { Observed, Oracle, OracleKind, Proof, Trial, Verdict } from './contract.ts';
export { isPlain, judgeTrial, settleVerdicts } from './judge-trial.ts';
export { type AllTrials, allTrials, type Hints, makeTrials, type NotTried } from './make-trials.ts';
