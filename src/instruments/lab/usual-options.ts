import { homedir } from 'node:os';
import { join } from 'node:path';
import { minuteMs } from '../../base/limits.ts';
import type { LabOptions } from './options.ts';

/** A lab on this machine whose tools run in boxes, below one folder; whatever else is wanted is said. */
export function usualLabOptions(homeFolder: string, more: Partial<LabOptions> = {}): LabOptions {
  const isRoot = process.getuid?.() === 0;
  return {
    mode: 'local',
    confinement: 'boxed',
    container: 'remnux',
    containerUser: null,
    host: null,
    user: 'remnux',
    port: 22,
    password: null,
    identityFile: null,
    identityPassphrase: null,
    agentSocket: null,
    knownHostsFile: join(homedir(), '.ssh', 'known_hosts'),
    isNewHostAccepted: false,
    samplesFolder: join(homeFolder, 'lab', 'samples'),
    outputFolder: join(homeFolder, 'lab', 'output'),
    timeoutMs: 5 * minuteMs,
    isShellAllowed: false,
    ingestRoot: null,
    rulesFolders: [],
    allowedHosts: [],
    isPrivateRefused: false,
    backend: 'auto',
    runtimeFolder: isRoot ? '/run/hotcell' : join(homeFolder, 'run'),
    dockerSocket: '/var/run/docker.sock',
    homeFolder,
    ...more,
  };
}
