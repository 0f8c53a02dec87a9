import type { BackendId } from '../../engine/box/contract.ts';
import type { ConnectorId } from '../../engine/connector/contract.ts';

/** How a lab is set up: where samples lie, where tools run, and what they may do there. */

/**
 * `boxed`: tools run in boxes of this machine. `confined`: the same, and no path outside the two folders is taken.
 * `plain`: tools run as they are, for a machine that is thrown away afterwards. In a container or over ssh there are no
 * boxes: that place is made for it.
 */
export const confinements = ['boxed', 'confined', 'plain'] as const;
export type ConfinementWish = (typeof confinements)[number];

export interface LabOptions {
  readonly mode: ConnectorId;
  readonly confinement: ConfinementWish;
  readonly container: string;
  readonly containerUser: string | null;
  readonly host: string | null;
  readonly user: string;
  readonly port: number;
  readonly password: string | null;
  readonly identityFile: string | null;
  readonly identityPassphrase: string | null;
  readonly agentSocket: string | null;
  readonly knownHostsFile: string;
  readonly isNewHostAccepted: boolean;
  /** Folders in the place where the samples are. */
  readonly samplesFolder: string;
  readonly outputFolder: string;
  readonly timeoutMs: number;
  readonly isShellAllowed: boolean;
  /** Folder of this host that samples may be taken from; null for any. */
  readonly ingestRoot: string | null;
  readonly rulesFolders: readonly string[];
  /** Names or addresses that samples may be fetched from although they are private. */
  readonly allowedHosts: readonly string[];
  readonly backend: BackendId | 'auto';
  readonly runtimeFolder: string;
  readonly dockerSocket: string;
  /** Asked for by an agent: files where this machine keeps its secrets are no samples. */
  readonly isPrivateRefused: boolean;
  /** Where the lab keeps what it remembers: results and where samples came from. */
  readonly homeFolder: string;
}

export const usualFolders = { samples: '/home/remnux/files/samples', output: '/home/remnux/files/output' } as const;
