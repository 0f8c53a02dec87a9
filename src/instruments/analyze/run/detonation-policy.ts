import { minuteMs } from '../../../base/limits.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import type { AnalyzeWishes } from './contract.ts';

/** Everything that a box can allow, so that a target shows what it does; what holds it is the box. */

const longestRunMs = 30 * minuteMs;

export function detonationPolicy({ memoryBytes, cpuCores, hasNetwork }: AnalyzeWishes): Policy {
  const policy = tierPolicy('CRITICAL');
  return {
    ...policy,
    name: 'detonation',
    // Software and data of the machine that are not the system's are nobody's business here.
    files: policy.files.filter(({ path }) => path !== '/opt' && path !== '/srv'),
    network: { mode: hasNetwork ? 'fake' : 'none', rules: [] },
    limits: {
      ...policy.limits,
      wallMs: longestRunMs,
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
      ...(cpuCores === undefined ? {} : { cpuCores }),
    },
  };
}
