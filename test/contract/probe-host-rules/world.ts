import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killGroup, runTool, runToolOrFail } from '../../../src/base/process.ts';
import type { RunHost } from '../../../src/instruments/probe/host-rules/index.ts';
import type { Outcome, Place } from './peer.ts';

/**
 * A host, two containers on a bridge of it, and a world behind it, each a namespace without any way out:
 *
 *     box, neighbour ── br-test (host) uplink ── world
 */

export const rooms = ['host', 'box', 'neighbour', 'world'] as const;
export type Room = (typeof rooms)[number];

export const bridge = 'br-test';
export const subnets = ['172.28.0.0/24', 'fd28::/64'];

export const at = {
  gateway: { 4: '172.28.0.1', 6: 'fd28::1' },
  uplink: { 4: '10.77.0.1', 6: 'fd77::1' },
  box: { 4: '172.28.0.2', 6: 'fd28::2' },
  neighbour: { 4: '172.28.0.3', 6: 'fd28::3' },
  target: { 4: '203.0.113.5', 6: '2001:db8:77::5' },
  other: { 4: '203.0.113.6', 6: '2001:db8:77::6' },
  resolver: { 4: '203.0.113.53', 6: '2001:db8:77::53' },
  otherResolver: { 4: '203.0.113.54', 6: '2001:db8:77::54' },
  metadata: { 4: '169.254.169.254', 6: 'fd00:ec2::254' },
} as const;

/** An address of the box that is not of its network. */
export const foreign = '198.51.100.9';
/** Of the bridge itself: known without asking, so that the box can try it. */
export const linkLocal = 'fe80::28:1';

const outside = [at.target, at.other, at.resolver, at.otherResolver, at.metadata];

const inside = (own: (typeof at)['box' | 'neighbour']): readonly string[] => [
  'link set lo up',
  `addr add ${own[4]}/24 dev eth0`,
  `addr add ${own[6]}/64 dev eth0 nodad`,
  'link set eth0 up',
  `route add default via ${at.gateway[4]}`,
  `route add ::/0 via ${at.gateway[6]}`,
];

const layout = (name: (room: Room) => string): Readonly<Record<Room, readonly string[]>> => ({
  host: [
    'link set lo up',
    `link add ${bridge} type bridge`,
    `addr add ${at.gateway[4]}/24 dev ${bridge}`,
    `addr add ${at.gateway[6]}/64 dev ${bridge} nodad`,
    `addr add ${linkLocal}/64 dev ${bridge} nodad`,
    `link set ${bridge} up`,
    ...(['box', 'neighbour'] as const).flatMap((room) => [
      `link add ${room} type veth peer name eth0 netns ${name(room)}`,
      `link set ${room} master ${bridge}`,
      `link set ${room} up`,
    ]),
    `link add uplink type veth peer name eth0 netns ${name('world')}`,
    `addr add ${at.uplink[4]}/24 dev uplink`,
    `addr add ${at.uplink[6]}/64 dev uplink nodad`,
    'link set uplink up',
    'route add default via 10.77.0.2',
    'route add ::/0 via fd77::2',
    `route add ${foreign}/32 dev ${bridge}`,
  ],
  box: [...inside(at.box), `addr add ${foreign}/32 dev eth0`],
  neighbour: inside(at.neighbour),
  world: [
    'link set lo up',
    'addr add 10.77.0.2/24 dev eth0',
    'addr add fd77::2/64 dev eth0 nodad',
    'link set eth0 up',
    ...outside.flatMap(({ 4: ipv4, 6: ipv6 }) => [`addr add ${ipv4}/32 dev lo`, `addr add ${ipv6}/128 dev lo nodad`]),
    `route add default via ${at.uplink[4]}`,
    `route add ::/0 via ${at.uplink[6]}`,
  ],
});

const settings = [
  'ipv4/ip_forward 1',
  'ipv6/conf/all/forwarding 1',
  'ipv4/conf/all/rp_filter 0',
  // Addresses are used at once, instead of a second later.
  'ipv6/conf/default/accept_dad 0',
  'ipv6/conf/all/accept_dad 0',
];

const tcp = (address: string, port: number): Place => ({ kind: 'tcp', address, port });
const udp = (address: string, port: number): Place => ({ kind: 'udp', address, port });
/** For what is expected to be closed: whether something arrived after all is looked at where it would arrive. */
export const shut = (place: Place): Place => ({ ...place, patienceMs: 500 });
const both = ({ 4: ipv4, 6: ipv6 }: { readonly 4: string; readonly 6: string }): readonly string[] => [ipv4, ipv6];

const listeners: Readonly<Partial<Record<Room, readonly Place[]>>> = {
  world: outside
    .flatMap(both)
    .flatMap((address) => [tcp(address, 80), tcp(address, 8080), tcp(address, 53), udp(address, 53), udp(address, 80)]),
  host: [
    ...[at.gateway, at.uplink].flatMap(both).flatMap((address) => [tcp(address, 22), udp(address, 53)]),
    tcp('::', 2222),
  ],
  box: both(at.box).map((address) => tcp(address, 8000)),
  neighbour: both(at.neighbour).map((address) => tcp(address, 8000)),
};

const peerFile = fileURLToPath(new URL('./peer.ts', import.meta.url));

/** A program in one of the rooms whose lines are kept. */
export class Peer {
  readonly lines: string[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  #wake: () => void = () => undefined;

  constructor(argv: readonly string[]) {
    const [file = '', ...args] = argv;
    this.#child = spawn(file, args, { detached: true, stdio: 'pipe' });
    this.#child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    this.#child.stdin.on('error', () => undefined);
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve));
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.#wake();
    });
  }

  async until(line: RegExp): Promise<void> {
    const limit = AbortSignal.timeout(10_000);
    while (!this.lines.some((each) => line.test(each))) {
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        limit.addEventListener('abort', () => reject(new Error(`no ${line} in ${this.lines.length} lines`)));
      });
    }
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Ends its input and waits for its end. */
  async finish(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }

  async close(): Promise<void> {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
    await this.#ended;
  }
}

export class World {
  readonly #id = `hr-${randomBytes(4).toString('hex')}`;
  readonly #listeners = new Map<Room, Peer>();
  readonly #peers: Peer[] = [];

  name(room: Room): string {
    return `${this.#id}-${room}`;
  }

  in(room: Room, argv: readonly string[]): readonly string[] {
    return ['nsenter', `--net=/run/netns/${this.name(room)}`, ...argv];
  }

  /** Runs programs of the host in the namespace that is the host here. */
  readonly runHost: RunHost = (file, args, options) => {
    const [nsenter = '', ...rest] = this.in('host', [file, ...args]);
    return runTool(nsenter, rest, options);
  };

  async run(room: Room, argv: readonly string[], input?: string): Promise<string> {
    const [nsenter = '', ...rest] = this.in(room, argv);
    return (await runToolOrFail(nsenter, rest, input === undefined ? {} : { input })).stdout.toString();
  }

  host(argv: readonly string[], input?: string): Promise<string> {
    return this.run('host', argv, input);
  }

  async open(): Promise<this> {
    for (const room of rooms) await runToolOrFail('ip', ['netns', 'add', this.name(room)]);
    const script = settings.map((line) => line.replace(/(\S+) (\S+)/, 'echo $2 > /proc/sys/net/$1')).join(' && ');
    for (const room of rooms) await this.run(room, ['sh', '-c', script]);
    const commands = layout((room) => this.name(room));
    for (const room of rooms) {
      await runToolOrFail('ip', ['-n', this.name(room), '-batch', '-'], { input: `${commands[room].join('\n')}\n` });
    }
    for (const [room, places] of Object.entries(listeners)) {
      this.#listeners.set(room as Room, this.start(room as Room, 'listen', places));
    }
    await Promise.all([...this.#listeners.values()].map((peer) => peer.until(/^ready$/)));
    return this;
  }

  start(room: Room, job: string, places: readonly Place[]): Peer {
    const peer = new Peer(this.in(room, [process.execPath, peerFile, job, JSON.stringify(places)]));
    this.#peers.push(peer);
    return peer;
  }

  async attempt(room: Room, places: readonly Place[]): Promise<readonly Outcome[]> {
    const peer = this.start(room, 'attempt', places);
    await peer.finish();
    return JSON.parse(peer.lines.at(-1) ?? '[]') as readonly Outcome[];
  }

  /** Every arrival in a room since the last time it was asked, each once. */
  arrivals(room: Room): readonly string[] {
    const lines = this.#listeners.get(room)?.lines ?? [];
    return [...new Set(lines.splice(0))].filter((line) => line !== 'ready').toSorted();
  }

  async close(): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.close()));
    for (const room of rooms) await runTool('ip', ['netns', 'delete', this.name(room)]);
  }
}

export { tcp, udp };
