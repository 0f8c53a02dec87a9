/** The public face of registered subprocesses. */
export type {
  Audit,
  AuditCheck,
  AuditOnly,
  AuditRequest,
  AuditVerdict,
  EgressRequest,
  EgressState,
  IsolationProfile,
  PolicyDescriptor,
  Registered,
  RegisterRequest,
  Registry,
  Running,
} from './contract.ts';
export { auditedParts, auditVerdicts, describedTargets } from './contract.ts';
export { describePolicy } from './describe-policy.ts';
export type { EgressOrderDocument, RunningDocument, SubprocessDocument } from './documents.ts';
export { readAllowlist } from './isolation-profile.ts';
export { handlePattern, openRegistry } from './open-registry.ts';
export { type EgressWatch, type EgressWatchOptions, watchEgress } from './watch-egress.ts';
