import { isIP } from 'node:net';
import type { Analysis } from '../../base/analysis-schema.ts';
import type { Event } from '../../base/event-schema.ts';
import { AddressBook } from '../../engine/sensor/history/index.ts';
import { most, type StoryFacts } from './facts.ts';
import { leakHost, type Peer, peersOf, plainName } from './peers.ts';
import { shorten } from './texts.ts';

type HostUse = Analysis['hosts'][number];

const longestHost = 512;
const mostKept = 4096;
const mostPorts = 32;
const mostProtocols = 16;
const longestProtocol = 16;
const mostEvents = 16;
/** More names than this below one zone are one host: secrets are cut into labels, and every label is new. */
const mostBelow = 8;

interface Seen {
  readonly host: string;
  readonly ports: Set<number>;
  readonly protocols: Set<string>;
  readonly phases: Set<Event['phase']>;
  readonly events: number[];
  readonly counts: Record<Peer['is'], number>;
  firstMs: number;
  leaks: number;
}

function emptyHost(host: string, firstMs: number): Seen {
  return {
    host,
    ports: new Set(),
    protocols: new Set(),
    phases: new Set(),
    events: [],
    counts: { request: 0, connection: 0, name: 0, sign: 0 },
    firstMs,
    leaks: 0,
  };
}

function addTo<T>(set: Set<T>, value: T, limit: number): void {
  if (set.size < limit) set.add(value);
}

function zoneOf(host: string): string | null {
  if (isIP(host) !== 0) return null;
  const labels = host.split('.');
  return labels.length > 2 ? labels.slice(-2).join('.') : null;
}

function merge(into: Seen, from: Seen): void {
  for (const port of from.ports) addTo(into.ports, port, mostPorts);
  for (const protocol of from.protocols) addTo(into.protocols, protocol, mostProtocols);
  for (const phase of from.phases) into.phases.add(phase);
  into.events.push(...from.events.slice(0, mostEvents - into.events.length));
  for (const is of ['request', 'connection', 'name', 'sign'] as const) into.counts[is] += from.counts[is];
  into.firstMs = Math.min(into.firstMs, from.firstMs);
  into.leaks += from.leaks;
}

/** Where the target went, one entry per host, with what left for it. */
export class HostUses {
  readonly #declared: readonly string[];
  readonly #book = new AddressBook();
  readonly #hosts = new Map<string, Seen>();
  readonly #leaksByZone = new Map<string, number>();
  #notKept = 0;

  constructor({ declaredHosts }: StoryFacts) {
    this.#declared = declaredHosts;
  }

  see(event: Event, ms: number): void {
    this.#book.learn(event);
    for (const peer of peersOf(event, this.#book)) this.#note(event, peer, ms);
    if (event.kind === 'leak') this.#noteLeak(event, ms);
  }

  #hostOf(host: string, ms: number): Seen | null {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const zone = zoneOf(host);
    // When there is no room left, a name still counts for its zone.
    if (this.#hosts.size >= mostKept) {
      if (zone !== null && host !== `*.${zone}` && this.#hosts.size < 2 * mostKept)
        return this.#hostOf(`*.${zone}`, ms);
      this.#notKept += 1;
      return null;
    }
    const seen = emptyHost(host, ms);
    this.#hosts.set(host, seen);
    return seen;
  }

  #note(event: Event, { host, port, protocol, is }: Peer, ms: number): void {
    const seen = this.#hostOf(host, ms);
    if (seen === null) return;
    seen.counts[is] += 1;
    seen.firstMs = Math.min(seen.firstMs, ms);
    seen.phases.add(event.phase);
    if (port !== null && port >= 0 && port <= 65535) addTo(seen.ports, port, mostPorts);
    if (protocol !== '') addTo(seen.protocols, protocol.slice(0, longestProtocol), mostProtocols);
    if (seen.events.length < mostEvents && is !== 'sign') seen.events.push(event.seq);
  }

  #noteLeak(event: Event, ms: number): void {
    const to = leakHost(event);
    if (to === null) return;
    if (to.isZone) {
      this.#leaksByZone.set(to.host, (this.#leaksByZone.get(to.host) ?? 0) + 1);
      return;
    }
    const seen = this.#hostOf(to.host, ms);
    if (seen === null) return;
    seen.leaks += 1;
    seen.phases.add(event.phase);
    seen.events.splice(Math.min(seen.events.length, mostEvents - 1), 1, event.seq);
  }

  end(): { readonly hosts: Analysis['hosts']; readonly leftOut: number } {
    this.#giveNames();
    this.#foldZones();
    const all = [...this.#hosts.values()]
      .map((seen) => this.#useOf(seen))
      .toSorted(
        (left, right) =>
          Number(right.leaks > 0) - Number(left.leaks > 0) ||
          Number(left.isDeclared) - Number(right.isDeclared) ||
          left.firstMs - right.firstMs,
      );
    const hosts = all.slice(0, most.hosts);
    return { hosts, leftOut: this.#notKept + all.length - hosts.length };
  }

  /** The name server's answers are told after the connections that they led to. */
  #giveNames(): void {
    for (const seen of [...this.#hosts.values()]) {
      const name = isIP(seen.host) === 0 ? null : this.#book.nameOf(seen.host);
      const known = name === null ? undefined : this.#hosts.get(plainName(name));
      if (known === undefined) continue;
      merge(known, seen);
      this.#hosts.delete(seen.host);
    }
  }

  #foldZones(): void {
    const below = Map.groupBy(this.#hosts.values(), ({ host }) => zoneOf(host));
    for (const [zone, group] of below) {
      const leaks = zone === null ? 0 : (this.#leaksByZone.get(zone) ?? 0);
      if (zone === null || (group.length <= mostBelow && leaks === 0)) continue;
      const whole = emptyHost(group.length === 1 ? (group[0]?.host ?? zone) : `*.${zone}`, Number.POSITIVE_INFINITY);
      for (const seen of group) {
        merge(whole, seen);
        this.#hosts.delete(seen.host);
      }
      this.#hosts.set(whole.host, whole);
    }
    for (const [zone, leaks] of this.#leaksByZone) {
      const found = this.#hosts.get(`*.${zone}`) ?? [...this.#hosts.values()].find(({ host }) => isBelow(host, zone));
      if (found !== undefined) found.leaks += leaks;
    }
  }

  #useOf({ host, ports, protocols, phases, events, counts, firstMs, leaks }: Seen): HostUse {
    const { request, connection, name, sign } = counts;
    return {
      host: shorten({ text: host }, longestHost),
      ports: [...ports].toSorted((left, right) => left - right),
      protocols: [...protocols],
      // The nearest that is known to what a person would call a request.
      requests: request || connection || name || sign,
      phases: [...phases],
      firstMs,
      isDeclared: this.#declared.some((declared) => isBelow(host, declared)),
      leaks,
      events: events.slice(0, mostEvents),
    };
  }
}

function isBelow(host: string, name: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}
