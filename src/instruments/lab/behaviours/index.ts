export { type BehaviourReport, type BehaviourResult, checkBehaviours, type StaticCapability } from './check.ts';
export {
  type ComparedSample,
  compareSamples,
  type ListDiff,
  type SampleDiff,
  type Similarity,
  type ValueDiff,
} from './compare.ts';
export { behaviourNames } from './rules.ts';
export {
  findStringUsage,
  type StringUsage,
  type UsageOptions,
  type UsageReport,
  type UsageStatus,
  usageLimits,
} from './string-usage.ts';
