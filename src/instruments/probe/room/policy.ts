import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import type { Aim } from '../contract.ts';
import { ownFolders } from './own-program.ts';

/** What a scanner may touch besides the network: software of this machine, read only, and folders of its own. */

const software = ['/opt', ...ownFolders()];
/** Scanners are told by these; none makes a program load anything. */
const variables = ['PYTHONHASHSEED'];
/** More than the time of any scan: the room ends it before. */
const slackMs = 60_000;

function rulesOf({ addresses, host }: Aim): NetworkRule[] {
  const hosts = [...new Set([...addresses, host])];
  return hosts.map((each) => ({
    host: each,
    port: '*' as const,
    why: 'the aim of the scan; its ports are decided one by one',
  }));
}

export function roomPolicy(aim: Aim, timeoutMs: number): Policy {
  const base = tierPolicy('HIGH');
  return {
    ...base,
    name: 'probe-room',
    files: [
      ...base.files,
      ...software.map((path) => ({ path, access: 'execute' as const, why: 'scanners, and what they read' })),
    ],
    environment: [...base.environment, ...variables.map((name) => ({ name, why: 'repeatable scans' }))],
    network: { mode: 'allowlist', rules: rulesOf(aim) },
    limits: { ...base.limits, wallMs: timeoutMs + slackMs },
  };
}
