export type {
  Connector,
  ConnectorId,
  EntryType,
  ExecOptions,
  ExecResult,
  FileReceipt,
  GetOptions,
  PlaceEntry,
  PutOptions,
} from './contract.ts';
export { connectorIds } from './contract.ts';
export { type DockerOptions, openDocker } from './docker.ts';
export { type Gatherer, gather } from './gather.ts';
export { defaultMaxOutputBytes } from './limits.ts';
export { type LocalOptions, openLocal } from './local.ts';
export { quoteArgument, quoteCommand } from './quote.ts';
export { openSsh, type SshOptions } from './ssh.ts';
