import { gibibyte, minuteMs } from '../../../base/limits.ts';
import type { FileRule, Limits, NetworkRule, Policy } from '../../../base/policy-schema.ts';
import { commonEnvironment } from '../../../engine/policy/tier-environment.ts';
import type { PreparedServer } from '../contract.ts';

/** The policy that holds for one run: what was given, what the server cannot start without, what the flags add. */

export interface PolicyFlags {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly hosts: readonly Pick<NetworkRule, 'host' | 'port'>[];
  /** Names that a value was given for. */
  readonly variables: readonly string[];
  readonly limits: Partial<Limits>;
}

export interface GivenPolicy {
  readonly policy: Policy;
  /** A tier: its clock and its output are meant for one analysis, not for a server that a client keeps open. */
  readonly isPreset: boolean;
}

export const noFlags: PolicyFlags = { read: [], write: [], hosts: [], variables: [], limits: {} };

/** What a server may use whose policy is a tier. */
export const runLimits = { wallMs: 24 * 60 * minuteMs, outputBytes: 1 * gibibyte } as const;

function flagFiles({ read, write }: PolicyFlags): FileRule[] {
  const rule = (access: 'read' | 'write') => (path: string) => ({ path, access, why: `asked for with --${access}` });
  return [...read.map(rule('read')), ...write.map(rule('write'))];
}

function withHosts(network: Policy['network'], hosts: PolicyFlags['hosts']): Policy['network'] {
  if (hosts.length === 0) return network;
  const added = hosts.map(({ host, port }) => ({ host, port, why: 'asked for with --host' }));
  // A fake internet that some hosts are real in would be neither.
  const before = network.mode === 'allowlist' ? network.rules : [];
  return { mode: 'allowlist', rules: [...before, ...added] };
}

/** The kernel itself opens the loader of a program, so nothing that learns from system calls ever sees it. */
const loaders: Readonly<Record<string, string>> = { x64: '/lib64', arm64: '/lib' };

function loaderFiles({ files }: Policy, architecture: string): FileRule[] {
  const path = loaders[architecture];
  const isListed = path === undefined || files.some((rule) => rule.path === path && rule.access === 'execute');
  return isListed ? [] : [{ path, access: 'execute', why: 'the loader that every program is started with' }];
}

export function effectivePolicy(
  { policy, isPreset }: GivenPolicy,
  server: Pick<PreparedServer, 'files'>,
  flags: PolicyFlags = noFlags,
  architecture: string = process.arch,
): Policy {
  const known = new Set(policy.environment.map(({ name }) => name));
  const variables = [...new Set(flags.variables)].filter((name) => !known.has(name));
  return {
    ...policy,
    files: [...policy.files, ...loaderFiles(policy, architecture), ...server.files, ...flagFiles(flags)],
    environment: [...policy.environment, ...variables.map((name) => ({ name, why: 'asked for with --env' }))],
    network: withHosts(policy.network, flags.hosts),
    limits: { ...policy.limits, ...(isPreset ? runLimits : {}), ...flags.limits },
  };
}

/**
 * Variables of the caller that a policy file lists beyond what every server may have: whoever wrote the name into the
 * policy of this server wants it there. A tier lists names for everybody, and passes nothing by itself.
 */
export function listedVariables(
  { policy, isPreset }: GivenPolicy,
  caller: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  if (isPreset) return {};
  const common = new Set(commonEnvironment.map(({ name }) => name));
  return Object.fromEntries(
    policy.environment.flatMap(({ name, value }) => {
      const own = caller[name];
      return common.has(name) || value !== undefined || own === undefined ? [] : [[name, own]];
    }),
  );
}
