export {
  type Appended,
  type Checkpoint,
  instruments,
  type LedgerEntry,
  type LedgerVerdict,
  type LedgerWriter,
  ledgerVerdicts,
  type StoredEntry,
} from './contract.ts';
export { exportLedger } from './export.ts';
export { checkFiles } from './fsck.ts';
export { Ledger, rotateKeys } from './ledger.ts';
export { listCheckpoints } from './notes-reader.ts';
export { proveConsistency, proveInclusion, verifyConsistency, verifyInclusion } from './prove.ts';
export { publicKeyText, readPublicKeys } from './public-keys.ts';
export { followEntries, readEntries } from './read.ts';
export {
  type CheckpointCopy,
  type ConsistencyProof,
  type ExportOptions,
  type ExportReport,
  type FileCheck,
  type FileCheckReport,
  type FollowOptions,
  type InclusionProof,
  type LedgerOptions,
  type LedgerProblem,
  type ProblemKind,
  type ProofVerdict,
  problemKinds,
  type ReadEntry,
  type ReadFilter,
  type RotateOptions,
  type Rotation,
  type SequenceRange,
  type VerifyOptions,
  type VerifyReport,
} from './report.ts';
export { verifyLedger } from './verify.ts';
