import { gibibyte, mebibyte, minuteMs } from '../../../base/limits.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import type { PreparedServer } from '../contract.ts';

/** What a server has that nobody guards, as far as a box that no harm comes out of can give it: the whole of the world. */

const limits: Partial<Policy['limits']> = {
  memoryBytes: 1 * gibibyte,
  diskBytes: 512 * mebibyte,
  processes: 256,
  cpuCores: 2,
  wallMs: 5 * minuteMs,
};

export function openPolicy(server: Pick<PreparedServer, 'files'>, world: string, hasInternet: boolean): Policy {
  const base = tierPolicy('LOW');
  const why = 'stands for the disk of a user, all of it';
  return {
    ...base,
    name: 'unguarded',
    files: [
      ...base.files,
      ...server.files,
      { path: world, access: 'write', why },
      { path: world, access: 'execute', why },
    ],
    network: { mode: hasInternet ? 'fake' : 'none', rules: [] },
    limits: { ...base.limits, ...limits },
  };
}
