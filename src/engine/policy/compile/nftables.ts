import { isIPv4, isIPv6 } from 'node:net';
import { UsageError } from '../../../base/errors.ts';
import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import type { Compiled, Gap } from '../gap.ts';
import { describeEndpoint, isAddress, isUnrestricted } from '../network.ts';

/** The network rules for nft, as one change: the table is replaced as a whole and is nobody else's. */

export interface NftablesOptions {
  /** The box's interface on a router. Without it the rules are for the box's own network namespace. */
  readonly interface?: string;
  /** Address that may be asked for names. */
  readonly resolver?: string;
  /** Address of the gate that keeps the rules about names. */
  readonly gateAddress?: string;
}

export const nftablesTable = 'hotcell';

function daddr(address: string): string {
  return `${isIPv6(address) ? 'ip6' : 'ip'} daddr ${address}`;
}

function checkOptions({ interface: name, resolver, gateAddress }: NftablesOptions): void {
  for (const address of [resolver, gateAddress]) {
    if (address !== undefined && !isIPv4(address) && !isIPv6(address))
      throw new UsageError(`not an address: ${JSON.stringify(address)}`);
  }
  // The kernel allows fifteen bytes; these are the ones that need no quoting in a ruleset.
  if (name !== undefined && !/^[A-Za-z0-9_.-]{1,15}$/.test(name))
    throw new UsageError(`not an interface: ${JSON.stringify(name)}`);
}

/** One line per rule that can be said without a name. */
function ruleLine({ host, port }: NetworkRule): string | null {
  if (host !== '*' && !isAddress(host)) return null;
  const match = [host === '*' ? '' : daddr(host), port === '*' ? '' : `tcp dport ${port}`].filter(
    (part) => part !== '',
  );
  return [...match, 'accept'].join(' ');
}

function allowLines(policy: Policy, { resolver, gateAddress }: NftablesOptions): readonly string[] {
  if (policy.network.mode !== 'allowlist') return [];
  const lines = [
    ...(resolver === undefined ? [] : [`${daddr(resolver)} meta l4proto { tcp, udp } th dport 53 accept`]),
    ...(gateAddress === undefined ? [] : [`${daddr(gateAddress)} tcp dport 1-65535 accept`]),
    ...policy.network.rules.flatMap((rule) => ruleLine(rule) ?? []),
  ];
  return Array.from(new Set(lines));
}

function gapsOf(policy: Policy, { gateAddress }: NftablesOptions): Gap[] {
  if (policy.network.mode === 'fake') {
    const what = 'a fake internet is not made of rules: everything is dropped';
    return [{ id: 'fake-network', path: 'network.mode', what, effect: 'closed' }];
  }
  if (policy.network.mode === 'none' || isUnrestricted(policy)) return [];
  const udp: Gap = {
    id: 'udp',
    path: 'network.rules',
    what: 'rules with a port are about TCP; UDP is dropped',
    effect: 'closed',
  };
  const names = policy.network.rules.flatMap((rule, at): Gap[] => {
    if (gateAddress !== undefined || rule.host === '*' || isAddress(rule.host)) return [];
    const what = `${describeEndpoint(rule)} cannot be reached: packets carry addresses, and names need the gate`;
    return [{ id: 'network-by-name', path: `network.rules[${at}]`, what, effect: 'closed' }];
  });
  return [...names, ...(policy.network.rules.some(({ port }) => port !== '*') ? [udp] : [])];
}

/** Without these no IPv6 address can be reached at all. */
const neighbours = 'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept';
const refuse = ['limit rate 10/second burst 20 packets log prefix "hotcell drop " level info', 'counter drop'];

function chain(name: string, hook: string, verdict: 'drop' | 'accept', lines: readonly string[]): readonly string[] {
  const head = `type filter hook ${hook} priority filter; policy ${verdict};`;
  return [`  chain ${name} {`, ...[head, ...lines].map((line) => `    ${line}`), '  }'];
}

/** In the box: nothing in, nothing out but what is listed. On a router: the same for what comes from the box. */
function chains(name: string | undefined, allowed: readonly string[]): readonly string[] {
  const known = 'ct state established,related accept';
  if (name !== undefined) {
    return [
      ...chain('from_box', 'forward', 'accept', [
        `oifname "${name}" ct state new drop`,
        `iifname != "${name}" accept`,
        known,
        ...allowed,
        ...refuse,
      ]),
    ];
  }
  return [
    ...chain('incoming', 'input', 'drop', ['iif lo accept', known, neighbours]),
    ...chain('passing', 'forward', 'drop', []),
    ...chain('outgoing', 'output', 'drop', ['oif lo accept', known, neighbours, ...allowed, ...refuse]),
  ];
}

export function compileNftables(policy: Policy, options: NftablesOptions = {}): Compiled<string> {
  checkOptions(options);
  const table = `table inet ${nftablesTable}`;
  const lines = [
    `add ${table}`,
    `delete ${table}`,
    `${table} {`,
    ...chains(options.interface, allowLines(policy, options)),
    '}',
  ];
  return { value: `${lines.join('\n')}\n`, gaps: gapsOf(policy, options) };
}
