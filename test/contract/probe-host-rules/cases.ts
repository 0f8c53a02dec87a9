import type { ReachList } from '../../../src/instruments/probe/host-rules/index.ts';
import type { Place } from './peer.ts';
import { at, foreign, linkLocal, shut, tcp, udp } from './world.ts';

/** What the box may do under the rules, and what not. Without rules all of it works. */

export const reach: ReachList = {
  ranges: [at.target[4], at.target[6], at.uplink[4]],
  ports: [
    { from: 80, to: 80 },
    { from: 7000, to: 7000 },
  ],
  until: null,
  fingerprint: 'c0ffee'.padEnd(64, '0'),
};

export const resolvers = [at.resolver[4], at.resolver[6]];

type Case = readonly [what: string, place: Place];

const inBoth = (what: string, make: (family: 4 | 6) => Place): readonly Case[] => [
  [`${what}, IPv4`, make(4)],
  [`${what}, IPv6`, make(6)],
];

/** Places that the host publishes: asked for here, found there. */
export const published = { inScope: 7000, outOfScope: 7001 };

export const allowed: readonly Case[] = [
  ...inBoth('target on a port of the scope', (family) => tcp(at.target[family], 80)),
  ...inBoth('resolver by UDP', (family) => udp(at.resolver[family], 53)),
  ...inBoth('resolver by TCP', (family) => tcp(at.resolver[family], 53)),
  ...inBoth('container of the same network', (family) => tcp(at.neighbour[family], 8000)),
  ['port that the host publishes, as the scope names it', tcp(at.uplink[4], published.inScope)],
];

const closed: readonly Case[] = [
  ...inBoth('target on another port', (family) => tcp(at.target[family], 8080)),
  ...inBoth('target by UDP', (family) => udp(at.target[family], 80)),
  ...inBoth('another address', (family) => tcp(at.other[family], 80)),
  ...inBoth('metadata', (family) => tcp(at.metadata[family], 80)),
  ...inBoth('another resolver by UDP', (family) => udp(at.otherResolver[family], 53)),
  ...inBoth('another resolver by TCP', (family) => tcp(at.otherResolver[family], 53)),
  ...inBoth('resolver on another port', (family) => tcp(at.resolver[family], 80)),
  ...inBoth('host by its bridge', (family) => tcp(at.gateway[family], 22)),
  ...inBoth('host by its bridge, UDP', (family) => udp(at.gateway[family], 53)),
  ...inBoth('host by its other address', (family) => tcp(at.uplink[family], 22)),
  ['host by its link-local address', tcp(`${linkLocal}%eth0`, 2222)],
  ['target from a foreign source', { ...tcp(at.target[4], 80), from: foreign }],
  [
    'port that the host publishes, out of scope, though it leads to the target',
    tcp(at.uplink[4], published.outOfScope),
  ],
];

export const forbidden: readonly Case[] = closed.map(([what, place]) => [what, shut(place)]);

/** All that may be noticed outside of the box while it tries the table. */
export const arrivals = {
  world: [
    ...[4, 6].map((family) => `tcp ${at.target[family as 4 | 6]} 80`),
    `tcp ${at.other[4]} 80`,
    ...[4, 6].flatMap((family) => ['tcp', 'udp'].map((kind) => `${kind} ${at.resolver[family as 4 | 6]} 53`)),
  ].toSorted(),
  host: [],
};
