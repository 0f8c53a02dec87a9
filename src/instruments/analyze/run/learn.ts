import type { Analysis } from '../../../base/analysis-schema.ts';
import { learnPolicy } from '../../../engine/policy/learn/learn.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import { eventsOf } from './run-events.ts';

/** The least privilege that the run has shown to be needed. */
export async function learnFrom(
  detonated: Detonated,
  folder: string,
  name: string,
  givenHosts: readonly string[],
  hosts: Analysis['hosts'],
): Promise<Pick<Analysis, 'policy' | 'refused'>> {
  if (!detonated.start.isStarted) return { policy: null, refused: [] };
  const { policy, refused } = await learnPolicy(eventsOf(folder), {
    name,
    folders: detonated.folders,
    decoys: (detonated.home?.files ?? []).map(({ path }) => path),
    variables: Object.keys(detonated.launch?.environment ?? {}),
    peakMemoryBytes: null,
    peakProcesses: null,
  });
  const isGiven = (host: string): boolean => givenHosts.some((given) => host === given || host.endsWith(`.${given}`));
  const thieves = new Set(
    hosts
      .filter(({ leaks, isDeclared }) => leaks > 0 && !isDeclared)
      .map(({ host }) => ('text' in host ? host.text : '')),
  );
  const stolen = policy.network.rules.filter(({ host }) => thieves.has(host));
  const rules = policy.network.rules.filter((rule) => !isGiven(rule.host) && !stolen.includes(rule));
  const named = policy.network.rules.length - rules.length - stolen.length;
  return {
    policy: { ...policy, network: rules.length === 0 ? { mode: 'none', rules: [] } : { ...policy.network, rules } },
    refused: [
      ...refused.map(({ what, why, seenIn }) => ({ what, why, seenIn: [...seenIn] })),
      ...stolen.map(({ host, port, seenIn = [] }) => ({
        what: `connecting to ${host}:${port}`,
        why: 'a planted secret went there',
        seenIn: seenIn.slice(0, 64),
      })),
      ...(named === 0
        ? []
        : [
            {
              what: 'reaching hosts that a caller names',
              why: 'add the hosts that it may be asked to reach',
              seenIn: [],
            },
          ]),
    ].slice(0, 500),
  };
}
