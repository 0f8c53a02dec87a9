/** The public face of launch commands. */
export type {
  LaunchChange,
  LaunchMemory,
  LaunchRecord,
  Pinned,
  Prepared,
  PrepareOptions,
  ServerRecord,
  Verified,
} from './contract.ts';
export { prepareServer } from './prepare.ts';
export { verifyServer } from './verify.ts';
