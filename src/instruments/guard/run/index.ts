/** The public face of one guarded server. */
export type {
  BoxWishes,
  ClientStreams,
  EndReason,
  GuardedEnd,
  GuardedOptions,
  GuardedServer,
  MessageRules,
} from './contract.ts';
export { Drift, type DriftFact, type DriftKind } from './drift.ts';
export { effectivePolicy, type GivenPolicy, noFlags, type PolicyFlags, runLimits } from './effective-policy.ts';
export { gapsOf, judgeGaps } from './gaps.ts';
export { keepLearnt } from './keep-learnt.ts';
export { learnSession } from './learn.ts';
export { policyFile, readLearnt } from './learnt-file.ts';
export { mergePolicies } from './merge.ts';
export { runGuarded } from './run-guarded.ts';
export {
  type GuardHome,
  nameOf,
  openSession,
  type Session,
  type SessionStreams,
  type SessionWishes,
} from './session.ts';
