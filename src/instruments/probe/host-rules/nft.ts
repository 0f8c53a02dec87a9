import { tableName } from './names.ts';
import { type Family, families, type HostRuleOptions, planHostRules, type RulePlan } from './plan.ts';
import type { ReachList } from './reach.ts';

/**
 * The rules as one transaction of nftables. The table is made, deleted and made anew in it, so that there is no moment
 * without rules, whatever was there before. An `accept` ends only this table: what other rules of the host forbid stays
 * forbidden.
 */

/** Both kinds of traffic that leave a container: through the host, and to it. */
export const nftHooks = ['forward', 'input'] as const;

/** Ahead of the rules of the engine and of the host. */
export const nftPriority = -10;

const words: Readonly<Record<Family, { readonly ip: string; readonly type: string; readonly icmp: string }>> = {
  4: { ip: 'ip', type: 'ipv4_addr', icmp: 'icmp' },
  6: { ip: 'ip6', type: 'ipv6_addr', icmp: 'ipv6-icmp' },
};

function set(name: string, type: string, elements: readonly string[]): readonly string[] {
  const filled = elements.length === 0 ? [] : [`    elements = { ${elements.join(', ')} }`];
  return [`  set ${name} {`, `    type ${type}`, '    flags interval', ...filled, '  }'];
}

function chain(name: string, rules: readonly string[]): readonly string[] {
  return [`  chain ${name} {`, ...rules.map((rule) => `    ${rule}`), '  }'];
}

function sets(plan: RulePlan): readonly string[] {
  const ports = plan.ports.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  return [
    ...families.flatMap((family) => [
      ...set(`subnets${family}`, words[family].type, plan.subnets[family]),
      ...set(`targets${family}`, words[family].type, plan.targets[family]),
      ...set(`resolvers${family}`, words[family].type, plan.resolvers[family]),
    ]),
    ...set('ports', 'inet_service', ports),
  ];
}

function held(plan: RulePlan, then: string): readonly string[] {
  return [
    ...(plan.bridge === null ? [] : [`iifname "${plan.bridge}" jump ${then}`]),
    ...families.map((family) => `${words[family].ip} saddr @subnets${family} jump ${then}`),
  ];
}

/** Containers of one network among themselves; where bridged packets are not shown to these rules, they pass anyway. */
function neighbours({ bridge, subnets }: RulePlan): readonly string[] {
  const on = bridge === null ? '' : `iifname "${bridge}" oifname "${bridge}" `;
  const linkLocal = bridge === null ? [] : [`${on}ip6 saddr fe80::/10 ip6 daddr fe80::/10 accept`];
  const inSubnets = families.flatMap((family) =>
    subnets[family].map(
      (subnet) => `${on}${words[family].ip} saddr ${subnet} ${words[family].ip} daddr ${subnet} accept`,
    ),
  );
  return [...inSubnets, ...linkLocal];
}

/** With a foreign source, a container could make an entry of the connection table whose "replies" are its own packets. */
function spoofed({ bridge }: RulePlan): readonly string[] {
  if (bridge === null) return [];
  return [
    `iifname "${bridge}" ip saddr != @subnets4 jump refused`,
    `iifname "${bridge}" ip6 saddr != fe80::/10 ip6 saddr != @subnets6 jump refused`,
  ];
}

/** By the address that was asked for, before the host rewrites it: a published port is in scope as it is named there. */
function reached(family: Family): readonly string[] {
  const { ip } = words[family];
  return [
    ...['udp', 'tcp'].map(
      (kind) => `ct original ${ip} daddr @resolvers${family} meta l4proto ${kind} ct original proto-dst 53 accept`,
    ),
    `ct original ${ip} daddr @targets${family} meta l4proto tcp ct original proto-dst @ports accept`,
    `ct state related ct original ${ip} daddr @targets${family} meta l4proto ${words[family].icmp} accept`,
  ];
}

function confined(plan: RulePlan): readonly string[] {
  const { until } = plan;
  return [
    // A hop limit of 255 is never seen on a packet that came through a router, so this leads to neighbours only.
    'icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } ip6 hoplimit 255 accept',
    ...spoofed(plan),
    'ct direction reply ct state established,related accept',
    ...(until === null ? [] : [`meta time >= ${Math.floor(until.getTime() / 1000)} jump refused`]),
    // Every packet is asked anew, not only the first: what was open before the rules came is closed by them.
    ...families.flatMap(reached),
    'jump refused',
  ];
}

function refused({ fingerprint }: RulePlan): readonly string[] {
  return [
    'limit rate 5/minute burst 5 packets log prefix "hotcell-egress " level info',
    `counter drop${fingerprint === null ? '' : ` comment "scope ${fingerprint}"`}`,
  ];
}

/** The rules of each chain that is not a hook's own. */
export function nftChains(plan: RulePlan): Readonly<Record<string, readonly string[]>> {
  return {
    refused: refused(plan),
    confined: confined(plan),
    forwarded: [...neighbours(plan), 'jump confined'],
    forward: held(plan, 'forwarded'),
    // The host talks to itself by the address of the bridge, which lies in the subnet.
    input: ['iifname "lo" accept', ...held(plan, 'confined')],
  };
}

const emptied = (table: string): readonly string[] => [`add table inet ${table}`, `delete table inet ${table}`];

export function nftText(plan: RulePlan): string {
  const table = tableName(plan.name);
  const isHook = (name: string): boolean => nftHooks.some((hook) => hook === name);
  const chains = Object.entries(nftChains(plan)).flatMap(([name, rules]) => {
    const hook = `type filter hook ${name} priority ${nftPriority}; policy accept;`;
    return chain(name, isHook(name) ? [hook, ...rules] : rules);
  });
  return [...emptied(table), `table inet ${table} {`, ...sets(plan), ...chains, '}', ''].join('\n');
}

export function hostRules(reach: ReachList, options: HostRuleOptions): string {
  return nftText(planHostRules(reach, options));
}

/** Removes the table, and is no error when there is none. */
export function nftDownText(name: string): string {
  return [...emptied(tableName(name)), ''].join('\n');
}
