export { buildImage, defaultDockerSocket } from './backends/docker.ts';
export { backends } from './backends/index.ts';
export { type CreateBoxOptions, createBox } from './choose.ts';
export {
  type BackendId,
  type Box,
  type BoxBackend,
  type BoxHooks,
  type BoxNetwork,
  type BoxOptions,
  type BoxProcess,
  type BoxRecord,
  backendIds,
  type CheckResult,
  type Diff,
  type DiskChange,
  type ExitStatus,
  type LimitHit,
  type LimitInForce,
  type PutFile,
  type SpawnOptions,
} from './contract.ts';
export { type CleanResult, cleanLeftovers } from './leftovers.ts';
