import {
  chainNames,
  type IptablesState,
  iptablesDownText,
  iptablesRules,
  iptablesText,
  parentsOf,
  readIptablesState,
} from './iptables.ts';
import { type Family, families, type RulePlan } from './plan.ts';
import { askHost, notHeld, type RunHost } from './run-host.ts';

const programs: Readonly<Record<Family, string>> = { 4: 'iptables', 6: 'ip6tables' };

/** Others may hold the lock of the tables for a moment. */
const patience = ['-w', '5'];

function list(family: Family, run: RunHost): Promise<string> {
  return askHost(run, [programs[family], ...patience, '-S'], `list the rules of ${programs[family]}`);
}

function restore(family: Family, input: string, run: RunHost, ...flags: readonly string[]): Promise<string> {
  const program = `${programs[family]}-restore`;
  return askHost(run, [program, ...patience, '--noflush', ...flags], `set the rules of ${programs[family]}`, { input });
}

export async function iptablesStates(name: string, run: RunHost): Promise<Readonly<Record<Family, IptablesState>>> {
  const [ipv4, ipv6] = await Promise.all(families.map((family) => list(family, run)));
  return { 4: readIptablesState(ipv4 ?? '', name), 6: readIptablesState(ipv6 ?? '', name) };
}

/** What is not as it was written; empty when all is. */
export function faultsOfIptables(listing: string, plan: RulePlan, family: Family): readonly string[] {
  const lines = listing.split('\n');
  const names = chainNames(plan.name);
  const state = readIptablesState(listing, plan.name);
  const first = (parent: string): string | undefined => lines.find((line) => line.startsWith(`-A ${parent} `));
  const length = (rules: readonly string[], chain: string): number =>
    rules.filter((rule) => rule.startsWith(`-A ${chain} `)).length;
  const written = iptablesRules(plan, family);
  return [
    ...parentsOf(names)
      .filter(([parent, chain]) => first(parent) !== `-A ${parent} -j ${chain}` || state.jumps[parent] !== 1)
      .map(([parent]) => `${parent} does not ask them first, once`),
    ...(state.isDockerUserAsked ? [] : ['FORWARD does not ask DOCKER-USER']),
    ...Object.values(names)
      .filter((chain) => length(lines, chain) !== length(written, chain))
      .map((chain) => `rules of ${chain} are missing`),
  ];
}

export async function applyIptables(plan: RulePlan, run: RunHost): Promise<void> {
  const states = await iptablesStates(plan.name, run);
  const texts = families.map((family) => [family, iptablesText(plan, family, states[family])] as const);
  // Both are tried before one is set, so that a kernel that lacks something is left as it was.
  await Promise.all(texts.map(([family, text]) => restore(family, text, run, '--test')));
  for (const [family, text] of texts) await restore(family, text, run);
  const listings = await Promise.all(families.map(async (family) => [family, await list(family, run)] as const));
  for (const [family, listing] of listings) {
    const faults = faultsOfIptables(listing, plan, family);
    if (faults.length > 0) {
      throw notHeld(`the rules of ${programs[family]} are not as they were written: ${faults.join('; ')}`);
    }
  }
}

export async function removeIptables(name: string, run: RunHost): Promise<void> {
  const states = await iptablesStates(name, run);
  for (const family of families) {
    const text = iptablesDownText(name, states[family]);
    if (text !== null) await restore(family, text, run);
  }
}
