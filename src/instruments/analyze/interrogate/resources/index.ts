export type { Observe, ResourceRequest, ResourceSession, ResourceTrial, ResourceTrials } from './contract.ts';
export { escapeClass } from './escapes.ts';
export { type ResourceTrialOptions, resourceTrials } from './resource-trials.ts';
export { resourceRules } from './rules.ts';
export { type RunOptions, runResourceTrials } from './run-resource-trials.ts';
