import { mebibyte } from '../../../base/limits.ts';
import { type Limits, limitsSchema, type NetworkRule, type Policy, type Tier } from '../../../base/policy-schema.ts';
import { parsePolicy, tierPolicy } from '../../../engine/policy/index.ts';
import type { IsolationProfile } from './contract.ts';

/** A profile and its tier as one policy. What is not understood is an error of whoever wrote the profile. */

export interface ReadProfile {
  readonly policy: Policy;
  readonly notes: readonly string[];
}

const longestWallMs = limitsSchema.shape.wallMs.maxValue ?? 0;
const shortestWallMs = limitsSchema.shape.wallMs.minValue ?? 0;
const fewestCores = limitsSchema.shape.cpuCores.minValue ?? 0;

/** The clock that makes more CPU time than this impossible; for very little of it the cores are cut as well. */
function clockFor(cpuMs: number, cpuCores: number): Pick<Limits, 'wallMs' | 'cpuCores'> {
  const wallMs = Math.floor(cpuMs / cpuCores);
  if (wallMs >= shortestWallMs) return { wallMs: Math.min(wallMs, longestWallMs), cpuCores };
  return { wallMs: shortestWallMs, cpuCores: Math.max(fewestCores, cpuMs / shortestWallMs) };
}

function limitsOf(profile: IsolationProfile, base: Limits): Limits {
  const { cpuMs, memMB, pidMax } = profile;
  const memoryBytes = memMB === undefined ? base.memoryBytes : memMB * mebibyte;
  return {
    ...base,
    memoryBytes,
    // The folders of a box are kept in memory, so they may not take all of it.
    diskBytes: Math.min(base.diskBytes, Math.floor(memoryBytes / 2)),
    fileBytes: Math.min(base.fileBytes, Math.floor(memoryBytes / 2)),
    processes: pidMax ?? base.processes,
    ...(cpuMs === undefined ? {} : clockFor(cpuMs, base.cpuCores)),
  };
}

/** An allowlist even where it is empty: a box without a gate could not be told other hosts while it runs. */
function networkOf(profile: IsolationProfile, base: Policy['network']): Policy['network'] | object {
  if (profile.egressAllowlist !== undefined) return { mode: 'allowlist', rules: profile.egressAllowlist };
  return { mode: 'allowlist', rules: base.rules };
}

/** The program itself, where it is named by its place: no list of files need repeat it. */
function programRule(binary: string): readonly object[] {
  return binary.startsWith('/') ? [{ path: binary, access: 'execute', why: 'the registered program' }] : [];
}

export function readProfile(name: string, binary: string, tier: Tier, profile: IsolationProfile): ReadProfile {
  const base = tierPolicy(tier);
  const rule = (access: 'execute' | 'write', why: string) => (path: string) => ({ path, access, why });
  const limits = limitsOf(profile, base.limits);
  const { policy, notices } = parsePolicy(
    {
      version: 1,
      name: name.slice(0, 200),
      extends: tier,
      files: [
        ...programRule(binary),
        ...(profile.fsReadOnly ?? []).map(rule('execute', 'fsReadOnly of the isolation profile')),
        ...(profile.fsWritable ?? []).map(rule('write', 'fsWritable of the isolation profile')),
      ],
      network: networkOf(profile, base.network),
      limits,
    },
    'the isolation profile',
  );
  const { cpuMs } = profile;
  const notes = notices.map(({ path, what }) => `${path}: ${what}`);
  if (cpuMs === undefined) return { policy, notes };
  const { wallMs, cpuCores } = limits;
  const most = Math.ceil(wallMs * cpuCores);
  const said = `cpuMs ${cpuMs}: it is ended after ${wallMs} ms on ${cpuCores} cores, so it uses at most ${most} ms of CPU time`;
  return { policy, notes: [...notes, said] };
}

/** Hosts as they are written in an allowlist. */
export function readAllowlist(allowlist: readonly string[]): readonly NetworkRule[] {
  const input = { version: 1, name: 'egress', extends: 'LOW', network: { mode: 'allowlist', rules: allowlist } };
  return parsePolicy(input, 'the allowlist').policy.network.rules;
}
