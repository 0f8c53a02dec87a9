import { z } from 'zod';
import { tableName } from './names.ts';
import { nftChains, nftDownText, nftHooks, nftPriority, nftText } from './nft.ts';
import type { RulePlan } from './plan.ts';
import { askHost, notHeld, type RunHost } from './run-host.ts';

const listedSchema = z.object({
  nftables: z.array(
    z.object({
      chain: z
        .object({
          name: z.string(),
          type: z.string().optional(),
          hook: z.string().optional(),
          prio: z.number().optional(),
          policy: z.string().optional(),
        })
        .optional(),
      rule: z.object({ chain: z.string(), expr: z.array(z.record(z.string(), z.unknown())) }).optional(),
    }),
  ),
});

function parseListing(text: string): z.infer<typeof listedSchema> {
  try {
    return listedSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw notHeld('cannot read the rules back: nft listed them in a form that is not known', { cause });
  }
}

/** What is not as it was written; empty when all is. */
export function faultsOfListing(text: string, plan: RulePlan): readonly string[] {
  const { nftables } = parseListing(text);
  const chains = nftables.flatMap(({ chain }) => (chain === undefined ? [] : [chain]));
  const rules = nftables.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  const expected = Object.entries(nftChains(plan));
  const hooks = nftHooks.filter(
    (hook) =>
      !chains.some(
        ({ name, type, hook: at, prio, policy }) =>
          name === hook && type === 'filter' && at === hook && prio === nftPriority && policy === 'accept',
      ),
  );
  const counts = expected.filter(([name, { length }]) => rules.filter(({ chain }) => chain === name).length !== length);
  const last = rules.filter(({ chain }) => chain === 'refused').at(-1);
  return [
    ...hooks.map((hook) => `nothing of it is asked at ${hook}`),
    ...counts.map(([name]) => `rules of ${name} are missing`),
    ...(last?.expr.some((each) => 'drop' in each) === true ? [] : ['what is refused is not dropped']),
  ];
}

export async function applyNft(plan: RulePlan, run: RunHost): Promise<void> {
  const table = tableName(plan.name);
  await askHost(run, ['nft', '-f', '-'], `set the rules of table ${table}`, {
    input: nftText(plan),
    hint: 'the kernel needs nf_tables with conntrack, log and limit; --with iptables is the other way',
  });
  const faults = faultsOfListing(
    await askHost(run, ['nft', '-j', 'list', 'table', 'inet', table], `read table ${table} back`),
    plan,
  );
  if (faults.length > 0) throw notHeld(`table ${table} is not as it was written: ${faults.join('; ')}`);
}

export async function removeNft(name: string, run: RunHost): Promise<void> {
  await askHost(run, ['nft', '-f', '-'], `remove table ${tableName(name)}`, { input: nftDownText(name) });
}
