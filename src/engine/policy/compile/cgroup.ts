import type { Policy } from '../../../base/policy-schema.ts';
import type { Compiled } from '../gap.ts';

/** The limits that all processes of a box share. */

export interface CgroupValue {
  readonly controller: 'memory' | 'pids' | 'cpu';
  readonly file: string;
  readonly value: string;
  /** A kernel may be built without this one; everything else must be written. */
  readonly isOptional: boolean;
}

export interface CgroupValues {
  /** In the order in which they have to be written. */
  readonly v1: readonly CgroupValue[];
  readonly v2: readonly CgroupValue[];
}

const periodUs = 100_000;

export function compileCgroup(policy: Policy): Compiled<CgroupValues> {
  const memory = String(policy.limits.memoryBytes);
  const processes = String(policy.limits.processes);
  const quotaUs = String(Math.max(1000, Math.round(policy.limits.cpuCores * periodUs)));
  const must = { isOptional: false } as const;
  const may = { isOptional: true } as const;
  return {
    value: {
      v1: [
        { controller: 'memory', file: 'memory.limit_in_bytes', value: memory, ...must },
        // Memory and swap together: equal to the limit means no swap. Needs swap accounting.
        { controller: 'memory', file: 'memory.memsw.limit_in_bytes', value: memory, ...may },
        { controller: 'memory', file: 'memory.swappiness', value: '0', ...may },
        { controller: 'pids', file: 'pids.max', value: processes, ...must },
        { controller: 'cpu', file: 'cpu.cfs_period_us', value: String(periodUs), ...must },
        { controller: 'cpu', file: 'cpu.cfs_quota_us', value: quotaUs, ...must },
      ],
      v2: [
        { controller: 'memory', file: 'memory.max', value: memory, ...must },
        { controller: 'memory', file: 'memory.swap.max', value: '0', ...may },
        // One process out of memory ends the box, not a part of it.
        { controller: 'memory', file: 'memory.oom.group', value: '1', ...may },
        { controller: 'pids', file: 'pids.max', value: processes, ...must },
        { controller: 'cpu', file: 'cpu.max', value: `${quotaUs} ${periodUs}`, ...must },
      ],
    },
    gaps: [],
  };
}
