import { UsageError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { PortRange } from '../contract.ts';
import { type AddressRange, covers, formatAddress, rangeOfAddress, rangeOfCidr } from '../scope/address-range.ts';
import { everyPort, highestPort, mergePorts } from '../scope/port-list.ts';
import { checkedFingerprint, checkedInterface, checkedNetwork } from './names.ts';
import type { ReachList } from './reach.ts';

/** Whose traffic is held. */
export interface HeldNetwork {
  /** Of the network, or of its subnets; the rules are found again by it. */
  readonly name: string;
  readonly subnets: readonly string[];
  /** The interface of the host that the containers hang on. Null: they are known by their addresses only. */
  readonly bridge: string | null;
}

export interface HostRuleOptions extends HeldNetwork {
  /** Literal addresses that may be asked for names on port 53. */
  readonly resolvers: readonly string[];
}

export type Family = 4 | 6;
export const families: readonly Family[] = [4, 6];

/** Everything that rules are made of: checked, in one spelling, in order, without doubles. */
export interface RulePlan {
  readonly name: string;
  readonly bridge: string | null;
  readonly subnets: Readonly<Record<Family, readonly string[]>>;
  readonly targets: Readonly<Record<Family, readonly string[]>>;
  readonly resolvers: Readonly<Record<Family, readonly string[]>>;
  readonly ports: readonly PortRange[];
  readonly until: Date | null;
  readonly fingerprint: string | null;
  /** What the rules cannot give, in words. */
  readonly notes: readonly string[];
}

const most = { subnets: 16, resolvers: 8, ranges: 4096, ports: 1024 };

/** A wider subnet is no network of containers: its rules would shut the host off from others. */
const shortestPrefix: Readonly<Record<Family, number>> = { 4: 8, 6: 32 };

const show = (text: string): string => JSON.stringify(forTerminal(untrusted(text, 80)));

function knownRange(text: string): AddressRange {
  return (
    (text.includes('/') ? rangeOfCidr(text) : rangeOfAddress(text)) ?? fail(`${show(text)} is no address or range`)
  );
}

function fail(message: string, hint?: string): never {
  throw new UsageError(message, hint === undefined ? {} : { hint });
}

const bitsOf: Readonly<Record<Family, number>> = { 4: 32, 6: 128 };

function prefixOf({ family, first, last }: AddressRange): number {
  return bitsOf[family] - ((last - first + 1n).toString(2).length - 1);
}

/** `10.0.0.0/24`; one address stands without a length. Written from numbers, so nothing of the given text is left. */
function spell(range: AddressRange): string {
  const address = formatAddress(range.family, range.first);
  return range.first === range.last ? address : `${address}/${prefixOf(range)}`;
}

/** In order, and without those that lie in another: a set of rules takes no overlaps. */
function tidy(ranges: readonly AddressRange[]): readonly AddressRange[] {
  const kept: AddressRange[] = [];
  const inOrder = ranges.toSorted((left, right) =>
    left.first === right.first
      ? Number(right.last > left.last) - Number(right.last < left.last)
      : left.first < right.first
        ? -1
        : 1,
  );
  for (const range of inOrder) {
    const last = kept.at(-1);
    if (last === undefined || !covers(last, range)) kept.push(range);
  }
  return kept;
}

function byFamily(ranges: readonly AddressRange[]): Readonly<Record<Family, readonly string[]>> {
  const of = (family: Family): readonly string[] => tidy(ranges.filter((range) => range.family === family)).map(spell);
  return { 4: of(4), 6: of(6) };
}

const mapped = rangeOfCidr('::ffff:0:0/96');
const loopbacks = ['127.0.0.0/8', '::1/128'].map(knownRange);
const notOfContainers = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/127', 'fe80::/10', 'ff00::/8'].map(knownRange);

function refuseMapped(range: AddressRange, text: string): AddressRange {
  if (mapped !== null && covers(mapped, range)) fail(`${show(text)} is IPv4 inside of IPv6`, 'write it as IPv4');
  return range;
}

export function readSubnet(text: string): AddressRange {
  const range = text.includes('/') ? rangeOfCidr(text) : null;
  if (range === null) return fail(`${show(text)} is no subnet`, 'such as 172.28.0.0/24 or fd00:28::/64');
  refuseMapped(range, text);
  if (prefixOf(range) < shortestPrefix[range.family] || notOfContainers.some((other) => covers(other, range))) {
    fail(
      `${show(text)} is no subnet of containers`,
      `one inside of a private range, at least /${shortestPrefix[range.family]}`,
    );
  }
  return range;
}

/** The name under which rules for subnets are kept: the same for the same subnets in any order. */
export function nameOfSubnets(subnets: readonly string[]): string {
  const { 4: ipv4, 6: ipv6 } = byFamily(subnets.map(readSubnet));
  return [...ipv4, ...ipv6].join('+');
}

function readResolver(text: string): AddressRange {
  const range = rangeOfAddress(text);
  if (range === null) return fail(`${show(text)} is no address of a resolver`, 'a literal address, such as 10.0.0.53');
  if (notOfContainers.slice(0, 3).some((other) => covers(other, range))) {
    fail(`a container cannot reach a resolver at ${show(text)}`, 'name the one that its queries are to leave for');
  }
  return range;
}

function readPorts(ports: ReachList['ports']): readonly PortRange[] {
  if (ports === 'all') return everyPort;
  for (const { from, to } of ports) {
    const isFine = Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from <= to && to <= highestPort;
    if (!isFine) fail(`${show(`${from}-${to}`)} is no range of ports`);
  }
  return mergePorts(ports);
}

function bounded<Item>(items: readonly Item[], limit: number, what: string): readonly Item[] {
  return items.length <= limit ? items : fail(`${items.length} ${what} are more than rules are written for (${limit})`);
}

export function planHostRules(reach: ReachList, options: HostRuleOptions): RulePlan {
  const subnets = bounded(options.subnets, most.subnets, 'subnets').map(readSubnet);
  const { bridge, name } = options;
  if (subnets.length === 0 && bridge === null) fail('there is no subnet and no bridge to hold');
  if (name !== nameOfSubnets(options.subnets)) checkedNetwork(name);
  const asked = bounded(reach.ranges, most.ranges, 'targets').map((text) => refuseMapped(knownRange(text), text));
  const ownLoopback = asked.filter((range) => loopbacks.some((loopback) => covers(loopback, range)));
  const notes = ownLoopback.map(
    (range) => `${spell(range)} is the container's own loopback there; no rule is needed or made`,
  );
  if (bridge === null) {
    notes.push(
      'without the bridge, packets with a foreign source and link-local IPv6 are not held: name it with --bridge',
    );
  }
  return {
    name,
    bridge: bridge === null ? null : checkedInterface(bridge),
    subnets: byFamily(subnets),
    targets: byFamily(asked.filter((range) => !ownLoopback.includes(range))),
    resolvers: byFamily(bounded(options.resolvers, most.resolvers, 'resolvers').map(readResolver)),
    ports: bounded(readPorts(reach.ports), most.ports, 'ranges of ports'),
    until: reach.until,
    fingerprint: reach.fingerprint === null ? null : checkedFingerprint(reach.fingerprint),
    notes,
  };
}
