/** The library: policies, boxes, cells with their events, and the errors they throw. Everything else is reached through the commands. */
export {
  describeError,
  type ExitCode,
  exitCodes,
  HostError,
  isKnownError,
  TargetError,
  UsageError,
} from './base/errors.ts';
export {
  type Completeness,
  type Event,
  type EventKind,
  eventJsonSchema,
  eventKinds,
  eventSchema,
  isComplete,
  type Phase,
  phases,
} from './base/event-schema.ts';
export type { Outcome } from './base/outcome.ts';
export { type Limits, type Policy, type Tier, tiers } from './base/policy-schema.ts';
export { forHtml, forJson, forModel, forTerminal, type UntrustedText, untrusted } from './base/untrusted.ts';
export {
  type BackendId,
  type Box,
  type BoxBackend,
  type BoxOptions,
  type BoxProcess,
  type BoxRecord,
  backendIds,
  backends,
  type CheckResult,
  type CleanResult,
  type CreateBoxOptions,
  cleanLeftovers,
  createBox,
  type Diff,
  type DiskChange,
  type ExitStatus,
  type LimitHit,
  type LimitInForce,
  type SpawnOptions,
} from './engine/box/index.ts';
export { Cell, type CellOptions, type CompletenessReport } from './engine/cell/index.ts';
export { type HostFact, type HostProbe, hostProbes } from './engine/host/index.ts';
export {
  type CompiledText,
  type CompileTarget,
  compile,
  compileTargets,
  type Difference,
  diffPolicies,
  explainPolicy,
  fingerprintPolicy,
  type Gap,
  type Notice,
  parsePolicy,
  policyJsonSchema,
  type ReadPolicy,
  readPolicy,
  samplePlace,
  tierPolicy,
} from './engine/policy/index.ts';
export { readEvents } from './engine/sensor/event-log.ts';
