export type {
  HandlerKind,
  HandlerRecord,
  SkippedFile,
  SkipReason,
  SourceTree,
  TaintLimits,
  TaintResult,
} from './contract.ts';
export { defaultTaintLimits } from './contract.ts';
export { inspectTaint } from './inspect.ts';
export { notAnalysedRule, type TaintRuleId, taintExamples, taintRules } from './rules.ts';
