import { applyIptables, iptablesStates, removeIptables } from './apply-iptables.ts';
import { applyNft, removeNft } from './apply-nft.ts';
import { freshState, iptablesText } from './iptables.ts';
import { nftText } from './nft.ts';
import { type Family, families, type RulePlan } from './plan.ts';
import { answers, notHeld, type RunHost } from './run-host.ts';

export const ruleMakers = ['nft', 'iptables'] as const;
export type RuleMaker = (typeof ruleMakers)[number];

const probes: Readonly<Record<RuleMaker, readonly string[]>> = {
  nft: ['nft', 'list', 'tables'],
  iptables: ['iptables', '-w', '5', '-S', 'INPUT'],
};

const appliers: Readonly<Record<RuleMaker, (plan: RulePlan, run: RunHost) => Promise<void>>> = {
  nft: applyNft,
  iptables: applyIptables,
};

const removers: Readonly<Record<RuleMaker, (name: string, run: RunHost) => Promise<void>>> = {
  nft: removeNft,
  iptables: removeIptables,
};

const restorers: Readonly<Record<Family, string>> = { 4: 'iptables-restore', 6: 'ip6tables-restore' };

async function workingMakers(run: RunHost): Promise<readonly RuleMaker[]> {
  const found = await Promise.all(ruleMakers.map((maker) => answers(run, probes[maker])));
  const working = ruleMakers.filter((_, at) => found[at] === true);
  if (working.length === 0) {
    throw notHeld('neither nft nor iptables can be used on this host', {
      hint: 'install nftables, and run it as root',
    });
  }
  return working;
}

export interface Applied {
  readonly by: RuleMaker;
}

/** Sets the rules and reads them back. Rules of the same name are replaced, without a moment in which there are none. */
export async function applyHostRules(plan: RulePlan, wish: RuleMaker | null, run: RunHost): Promise<Applied> {
  if (plan.bridge !== null && !(await answers(run, ['ip', 'link', 'show', 'dev', plan.bridge]))) {
    throw notHeld(`there is no interface ${plan.bridge} on this host, so rules for it would hold nothing`, {
      hint: 'an engine in a virtual machine or without root keeps its bridges where it runs; set the rules there',
    });
  }
  const by = wish ?? (await workingMakers(run))[0] ?? 'nft';
  await appliers[by](plan, run);
  return { by };
}

/** Nothing to remove is fine. */
export async function removeHostRules(
  name: string,
  wish: RuleMaker | null,
  run: RunHost,
): Promise<readonly RuleMaker[]> {
  const makers = wish === null ? await workingMakers(run) : [wish];
  for (const maker of makers) await removers[maker](name, run);
  return makers;
}

/** Where nothing is asked of the kernel, what is installed decides. */
async function likelyMaker(run: RunHost): Promise<RuleMaker> {
  const [nft, iptables] = await Promise.all(ruleMakers.map((maker) => answers(run, [maker, '--version'])));
  return nft === false && iptables === true ? 'iptables' : 'nft';
}

/** What would be set, for reading and for `nft -c -f -` or `iptables-restore --test`. */
export async function describeHostRules(plan: RulePlan, wish: RuleMaker | null, run: RunHost): Promise<string> {
  if ((wish ?? (await likelyMaker(run))) === 'nft') return nftText(plan);
  // Without root the tables cannot be read, and a host with an engine and without rules of ours is assumed.
  const states = await iptablesStates(plan.name, run).catch(() => ({ 4: freshState, 6: freshState }));
  const parts = families.map(
    (family) => `# ${restorers[family]} --noflush\n${iptablesText(plan, family, states[family])}`,
  );
  return parts.join('\n');
}
