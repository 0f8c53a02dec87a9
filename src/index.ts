/** The library: policies, boxes, cells with their events, the ledger, the store, guard, the lab, and the errors they throw. Examples are in docs/library.md. */
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
  type Appended,
  type Checkpoint,
  type ConsistencyProof,
  checkFiles,
  exportLedger,
  followEntries,
  type InclusionProof,
  Ledger,
  type LedgerEntry,
  type LedgerOptions,
  type LedgerProblem,
  type LedgerVerdict,
  type LedgerWriter,
  listCheckpoints,
  type ProofVerdict,
  proveConsistency,
  proveInclusion,
  publicKeyText,
  type ReadEntry,
  type ReadFilter,
  readEntries,
  readPublicKeys,
  rotateKeys,
  type StoredEntry,
  type VerifyOptions,
  type VerifyReport,
  verifyConsistency,
  verifyInclusion,
  verifyLedger,
} from './engine/ledger/index.ts';
export {
  type EgressAttempts,
  EgressGate,
  type EgressGateOptions,
  type EgressMode,
  egressModes,
} from './engine/net/index.ts';
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
export {
  type Collection,
  type CollectionDefinition,
  Store,
  type StoredDocument,
  type StoreHandle,
  storeLimits,
} from './engine/store/index.ts';
export {
  type CanaryLeak,
  type CanaryWatchOptions,
  type GuardCanaryWatch,
  issueCanary,
  listCanaries,
  listLeaks,
  openCanaryWatch,
  type StoredCanary,
} from './instruments/guard/canaries/index.ts';
export { type CommandCheck, checkCommand, type ShapeHit } from './instruments/guard/command-shapes/index.ts';
export {
  type Audit,
  type AuditRequest,
  type AuditVerdict,
  describePolicy,
  type EgressRequest,
  type EgressState,
  type EgressWatch,
  type EgressWatchOptions,
  type IsolationProfile,
  openRegistry,
  type PolicyDescriptor,
  type Registered,
  type RegisterRequest,
  type Registry,
  watchEgress,
} from './instruments/guard/registry/index.ts';
export { type AnalyseOrder, analyseSample } from './instruments/lab/analysis/analyse.ts';
export { defang, extractIndicators, type Indicator, type IndicatorResult } from './instruments/lab/indicators/index.ts';
export { Lab } from './instruments/lab/lab.ts';
export type { LabOptions } from './instruments/lab/options.ts';
export { recogniseKind } from './instruments/lab/recognise/index.ts';
export { renderLabReport } from './instruments/lab/report/index.ts';
export { type LabReport, labReportSchema } from './instruments/lab/report/schema.ts';
export { usualLabOptions } from './instruments/lab/usual-options.ts';
export type { Aim, ScannerDefinition, ScanResult } from './instruments/probe/contract.ts';
export type { ProbeOptions } from './instruments/probe/options.ts';
export { Probe, type ScanCall } from './instruments/probe/probe.ts';
export { makeReport } from './instruments/probe/report/make-report.ts';
export type { KeptScan } from './instruments/probe/results/keep.ts';
export { scanners } from './instruments/probe/scanners/index.ts';
export { type LoadedScope, type ScopeDocument, scopeSchema } from './instruments/probe/scope/index.ts';
