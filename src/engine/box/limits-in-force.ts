import type { Limits } from '../../base/policy-schema.ts';
import type { LimitInForce } from './contract.ts';
import type { Foundation } from './foundation.ts';

/** Which limit is kept, and by whom: a control group, an engine that has its own, or a watchdog. "none" is an answer too. */
export function describeLimits(
  limits: Limits,
  { cgroup, disk }: Pick<Foundation, 'cgroup' | 'disk'>,
  engine?: string,
): readonly LimitInForce[] {
  const group = engine ?? (cgroup === null ? null : `cgroup-v${cgroup.version}`);
  const by: Record<keyof Limits, string> = {
    memoryBytes: group ?? 'watchdog',
    processes: group ?? 'watchdog',
    cpuCores: group ?? 'none',
    wallMs: 'clock',
    outputBytes: 'pipe',
    fileBytes: 'rlimit',
    diskBytes: disk.isLimited ? 'tmpfs' : 'watchdog',
    openFiles: 'rlimit',
  };
  return (Object.keys(by) as (keyof Limits)[]).map((limit) => ({ limit, value: limits[limit], by: by[limit] }));
}
