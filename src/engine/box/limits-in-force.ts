import type { Limits } from '../../base/policy-schema.ts';
import type { LimitInForce } from './contract.ts';

export interface LimitKeepers {
  /** 1 or 2 where control groups keep the shared limits, null where a watchdog has to. */
  readonly cgroupVersion: 1 | 2 | null;
  readonly isDiskLimited: boolean;
  /** Who keeps them where it is neither a control group nor ours. */
  readonly engine?: string;
}

/** Which limit is kept, and by whom. "none" is an answer too. */
export function describeLimits(limits: Limits, keepers: LimitKeepers): readonly LimitInForce[] {
  const group = keepers.engine ?? (keepers.cgroupVersion === null ? null : `cgroup-v${keepers.cgroupVersion}`);
  const by: Record<keyof Limits, string> = {
    memoryBytes: group ?? 'watchdog',
    processes: group ?? 'watchdog',
    cpuCores: group ?? 'none',
    wallMs: 'clock',
    outputBytes: 'pipe',
    fileBytes: 'rlimit',
    diskBytes: keepers.isDiskLimited ? 'tmpfs' : 'watchdog',
    openFiles: 'rlimit',
  };
  return (Object.keys(by) as (keyof Limits)[]).map((limit) => ({ limit, value: limits[limit], by: by[limit] }));
}
