import { chainPrefix } from './names.ts';
import { type Family, type HostRuleOptions, planHostRules, type RulePlan } from './plan.ts';
import type { ReachList } from './reach.ts';

/**
 * The same rules for iptables, as the input of one iptables-restore per family. What is allowed returns to the chain
 * that asked instead of being accepted: an `ACCEPT` here would end the rules of the engine and of the host as well.
 */

export interface IptablesText {
  readonly ipv4: string;
  readonly ipv6: string;
}

/** What is there already. Declaring a chain empties it, and the one of the engine holds rules of others. */
export interface IptablesState {
  readonly hasDockerUser: boolean;
  /** Whether forwarded packets come to DOCKER-USER at all. */
  readonly isDockerUserAsked: boolean;
  /** How often each of the two chains jumps to ours. */
  readonly jumps: Readonly<Record<ParentChain, number>>;
  /** Those of ours that exist. */
  readonly chains: readonly string[];
}

export type ParentChain = 'DOCKER-USER' | 'INPUT';

/** A host with an engine and without rules of ours. */
export const freshState: IptablesState = {
  hasDockerUser: true,
  isDockerUserAsked: true,
  jumps: { 'DOCKER-USER': 0, INPUT: 0 },
  chains: [],
};

export interface ChainNames {
  readonly forward: string;
  readonly input: string;
  readonly own: string;
  readonly confined: string;
  readonly reach: string;
  readonly refused: string;
}

export function chainNames(name: string): ChainNames {
  const prefix = chainPrefix(name);
  return {
    forward: `${prefix}-FWD`,
    input: `${prefix}-IN`,
    own: `${prefix}-OWN`,
    confined: `${prefix}-OUT`,
    reach: `${prefix}-TO`,
    refused: `${prefix}-NO`,
  };
}

export const parentsOf = ({ forward, input }: ChainNames): readonly (readonly [ParentChain, string])[] => [
  ['DOCKER-USER', forward],
  ['INPUT', input],
];

/** iptables keeps times as 32 bits. */
const lastMoment = Date.UTC(2038, 0, 19);

const neighbourTypes = [133, 135, 136];

function held({ bridge, subnets }: RulePlan, family: Family, from: string, then: string): readonly string[] {
  return [
    ...(bridge === null ? [] : [`-A ${from} -i ${bridge} -j ${then}`]),
    ...subnets[family].map((subnet) => `-A ${from} -s ${subnet} -j ${then}`),
  ];
}

function forwardRules(plan: RulePlan, family: Family, names: ChainNames): readonly string[] {
  const on = plan.bridge === null ? '' : `-i ${plan.bridge} -o ${plan.bridge} `;
  const linkLocal = family === 6 && plan.bridge !== null ? ['fe80::/10'] : [];
  const among = [...plan.subnets[family], ...linkLocal];
  return [
    ...among.map((subnet) => `-A ${names.forward} ${on}-s ${subnet} -d ${subnet} -j RETURN`),
    ...held(plan, family, names.forward, names.confined),
  ];
}

function ownRules(plan: RulePlan, family: Family, { own, refused }: ChainNames): readonly string[] {
  const sources = [...plan.subnets[family], ...(family === 6 ? ['fe80::/10'] : [])];
  return [...sources.map((source) => `-A ${own} -s ${source} -j RETURN`), `-A ${own} -j ${refused}`];
}

function confinedRules(plan: RulePlan, family: Family, names: ChainNames): readonly string[] {
  const { confined, own, reach, refused } = names;
  const { bridge, until, ports, resolvers } = plan;
  const original = '-m conntrack --ctdir ORIGINAL';
  const end = until !== null && until.getTime() < lastMoment ? until.toISOString().slice(0, 19) : null;
  const rules = [
    ...(family === 6
      ? neighbourTypes.map((type) => `-p icmpv6 --icmpv6-type ${type} -m hl --hl-eq 255 -j RETURN`)
      : []),
    ...(bridge === null ? [] : [`-i ${bridge} -j ${own}`]),
    '-m conntrack --ctdir REPLY --ctstate ESTABLISHED,RELATED -j RETURN',
    ...(end === null ? [] : [`-m time --datestart ${end} -j ${refused}`]),
    ...resolvers[family].flatMap((resolver) =>
      ['udp', 'tcp'].map((kind) => `-p ${kind} ${original} --ctorigdst ${resolver} --ctorigdstport 53 -j RETURN`),
    ),
    // A goto: what returns from there returns to whoever asked, past the refusal below.
    ...ports.map(
      ({ from, to }) => `-p tcp ${original} --ctorigdstport ${from === to ? from : `${from}:${to}`} -g ${reach}`,
    ),
    `-p ${family === 4 ? 'icmp' : 'icmpv6'} -m conntrack --ctstate RELATED -g ${reach}`,
    `-j ${refused}`,
  ];
  return rules.map((rule) => `-A ${confined} ${rule}`);
}

function refusedRules({ fingerprint }: RulePlan, { refused }: ChainNames): readonly string[] {
  const comment = fingerprint === null ? '' : ` -m comment --comment "scope ${fingerprint}"`;
  return [
    `-A ${refused} -m limit --limit 5/minute --limit-burst 5 -j LOG --log-prefix "hotcell-egress " --log-level info`,
    `-A ${refused}${comment} -j DROP`,
  ];
}

/** Every rule of our own chains. */
export function iptablesRules(plan: RulePlan, family: Family): readonly string[] {
  const names = chainNames(plan.name);
  const { reach, refused, input, confined } = names;
  return [
    ...refusedRules(plan, names),
    ...plan.targets[family].map((target) => `-A ${reach} -m conntrack --ctorigdst ${target} -j RETURN`),
    `-A ${reach} -j ${refused}`,
    ...ownRules(plan, family, names),
    ...confinedRules(plan, family, names),
    ...forwardRules(plan, family, names),
    // The host talks to itself by the address of the bridge, which lies in the subnet.
    `-A ${input} -i lo -j RETURN`,
    ...held(plan, family, input, confined),
  ];
}

function removeJumps(names: ChainNames, state: IptablesState): readonly string[] {
  return parentsOf(names).flatMap(([parent, chain]) =>
    Array.from({ length: state.jumps[parent] }, () => `-D ${parent} -j ${chain}`),
  );
}

export function iptablesText(plan: RulePlan, family: Family, state: IptablesState): string {
  const names = chainNames(plan.name);
  return [
    '*filter',
    ...Object.values(names).map((chain) => `:${chain} - [0:0]`),
    ...(state.hasDockerUser ? [] : [':DOCKER-USER - [0:0]']),
    ...iptablesRules(plan, family),
    ...removeJumps(names, state),
    ...parentsOf(names).map(([parent, chain]) => `-I ${parent} 1 -j ${chain}`),
    ...(state.isDockerUserAsked ? [] : ['-I FORWARD 1 -j DOCKER-USER']),
    'COMMIT',
    '',
  ].join('\n');
}

export function hostRulesIptables(reach: ReachList, options: HostRuleOptions): IptablesText {
  const plan = planHostRules(reach, options);
  return { ipv4: iptablesText(plan, 4, freshState), ipv6: iptablesText(plan, 6, freshState) };
}

/** Removes our chains and the jumps to them; null when nothing of ours is there. */
export function iptablesDownText(name: string, state: IptablesState): string | null {
  const names = chainNames(name);
  const jumps = removeJumps(names, state);
  if (jumps.length + state.chains.length === 0) return null;
  return [
    '*filter',
    ...jumps,
    ...state.chains.map((chain) => `-F ${chain}`),
    ...state.chains.map((chain) => `-X ${chain}`),
    'COMMIT',
    '',
  ].join('\n');
}

/** Reads what `iptables -S` lists. */
export function readIptablesState(listing: string, name: string): IptablesState {
  const lines = listing.split('\n');
  const names = chainNames(name);
  const has = (line: string): boolean => lines.includes(line);
  const count = (line: string): number => lines.filter((each) => each === line).length;
  return {
    hasDockerUser: has('-N DOCKER-USER'),
    isDockerUserAsked: has('-A FORWARD -j DOCKER-USER'),
    jumps: {
      'DOCKER-USER': count(`-A DOCKER-USER -j ${names.forward}`),
      INPUT: count(`-A INPUT -j ${names.input}`),
    },
    chains: Object.values(names).filter((chain) => has(`-N ${chain}`)),
  };
}
