import { readFileSync } from 'node:fs';
import { routerAddress } from '../../../src/engine/net/index.ts';
import { gateway, hostListener, nameserver, outer, outOfScope, target, targetPorts } from './places.ts';

/**
 * A scanner that ignores its arguments, as data: what it tries, the two files that it is made of, and how to read what
 * it says. Whether anything of it arrived is for the world to say; its own words are only half of the proof.
 */

interface Place {
  readonly address: string;
  readonly port: number;
}

/** `outside` must reach nobody. `through` goes to the aim, where whoever opens requests has to stop it. */
export type Stray = { readonly id: string; readonly way: 'outside' | 'through' } & (
  | ({ readonly kind: 'tcp'; readonly say?: string } & Place)
  | ({ readonly kind: 'tls'; readonly name: string; readonly say?: string } & Place)
  | ({ readonly kind: 'udp'; readonly say?: string; readonly isBroadcast?: boolean } & Place)
  | ({ readonly kind: 'dns-udp' | 'dns-tcp'; readonly name: string } & Place)
  | { readonly kind: 'lookup'; readonly name: string }
  /** `@name` is an abstract one. */
  | { readonly kind: 'unix'; readonly path: string; readonly say?: string }
  | {
      readonly kind: 'socket';
      readonly family: number;
      readonly type: number;
      readonly protocol: number;
      readonly address?: string;
    }
);

export const strayOutcomes = ['answered', 'connected', 'sent', 'opened', 'refused', 'silent', 'unavailable'] as const;

export interface StrayResult {
  readonly id: string;
  readonly kind: Stray['kind'];
  readonly outcome: (typeof strayOutcomes)[number];
  /** Error code, or the beginning of what was heard. */
  readonly detail: string;
}

const groups: Readonly<Record<string, readonly string[]>> = {
  'out of scope': outOfScope,
  neighbours: ['203.0.113.9', '203.0.113.11', '2001:db8:5::11', gateway.ipv4, gateway.ipv6, nameserver],
  internet: ['8.8.8.8', '1.1.1.1', '2001:4860:4860::8888'],
  private: ['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', 'fd00::1'],
  'link-local': ['169.254.169.254', '169.254.170.2', '169.254.0.1', 'fe80::1', 'fd00:ec2::254'],
  loopback: ['127.0.0.1', '127.0.0.53', '127.1.2.3', '::1', '0.0.0.0', '::'],
  host: [outer.ipv4, outer.ipv6, '172.17.0.1'],
  gate: [routerAddress.ipv4, routerAddress.ipv6],
  'other spellings': ['::ffff:203.0.113.66', '::ffff:127.0.0.1', '64:ff9b::cb00:7142', '2002:cb00:7142::1'],
};

const hello = 'GET / HTTP/1.1\r\nHost: stray.example\r\nConnection: close\r\n\r\n';
/** The first bytes of a QUIC Initial, version 1: enough to be taken for one. */
const quic = `\xc3\x00\x00\x00\x01\x08hotcell!\x00\x00\x44\x9e${'\x00'.repeat(1180)}`;

const sockets = [
  { name: 'icmp', family: 2, type: 3, protocol: 1, address: outOfScope[0] },
  { name: 'icmpv6', family: 10, type: 3, protocol: 58, address: outOfScope[2] },
  { name: 'ping', family: 2, type: 2, protocol: 1, address: outOfScope[0] },
  { name: 'raw tcp', family: 2, type: 3, protocol: 6 },
  { name: 'raw ip', family: 2, type: 3, protocol: 255 },
  { name: 'packet', family: 17, type: 3, protocol: 768 },
  { name: 'vsock', family: 40, type: 1, protocol: 0 },
  { name: 'sctp', family: 2, type: 1, protocol: 132 },
  { name: 'udplite', family: 2, type: 2, protocol: 136 },
] as const;

/** Services of this machine are not spoken to: that one could is enough. */
const unixPaths = [
  '/var/run/docker.sock',
  '/run/containerd/containerd.sock',
  '/run/systemd/private',
  '/run/dbus/system_bus_socket',
  '@/tmp/.X11-unix/X0',
  `@${hostListener.abstract}`,
];

export interface StrayOptions {
  /** What the scan is allowed: the ports of the target that are not tried as strays. Default: its HTTP port. */
  readonly aim?: Place;
  /** Ports that are knocked at on every address, as well as 80. Default: 443 and the listener of the host. */
  readonly ports?: readonly number[];
}

const urlOf = (address: string): string => (address.includes(':') ? `[${address}]` : address);

export function strayTries(options: StrayOptions = {}): readonly Stray[] {
  const { aim = { address: target.ipv4, port: targetPorts.http }, ports = [443, hostListener.port] } = options;
  const outside = { way: 'outside' } as const;
  const through = { way: 'through', ...aim } as const;
  const everywhere = Object.entries(groups).flatMap(([group, addresses]) =>
    addresses.filter((address) => address !== aim.address).map((address) => ({ group, address })),
  );
  const knocks = [...new Set([80, ...ports])];
  const elsewhere = outOfScope[0];
  return [
    ...everywhere.flatMap(({ group, address }) =>
      knocks.map(
        (port): Stray => ({
          id: `tcp ${group} ${address} ${port}`,
          ...outside,
          kind: 'tcp',
          address,
          port,
          say: hello,
        }),
      ),
    ),
    ...everywhere.map(
      ({ group, address }): Stray => ({ id: `udp ${group} ${address}`, ...outside, kind: 'udp', address, port: 4321 }),
    ),
    ...[...Object.values(targetPorts), 22, 8080, 65_535]
      .filter((port) => port !== aim.port)
      .map(
        (port): Stray => ({
          id: `tcp other port ${port}`,
          ...outside,
          kind: 'tcp',
          address: aim.address,
          port,
          say: hello,
        }),
      ),
    { id: 'udp aim', ...outside, kind: 'udp', ...aim },
    { id: 'quic aim', ...outside, kind: 'udp', address: aim.address, port: 443, say: quic },
    { id: 'quic elsewhere', ...outside, kind: 'udp', address: elsewhere, port: 443, say: quic },
    ...[nameserver, '8.8.8.8', '127.0.0.53', routerAddress.ipv4, routerAddress.ipv6, elsewhere, aim.address].flatMap(
      (address): readonly Stray[] => [
        { id: `dns-udp ${address}`, ...outside, kind: 'dns-udp', address, port: 53, name: 'stray.example' },
        { id: `dns-tcp ${address}`, ...outside, kind: 'dns-tcp', address, port: 53, name: 'stray.example' },
      ],
    ),
    { id: 'lookup', ...outside, kind: 'lookup', name: 'stray.example' },
    { id: 'dns-tls', ...outside, kind: 'tls', address: '1.1.1.1', port: 853, name: 'one.example' },
    ...['224.0.0.1', '224.0.0.251', '239.255.255.250', 'ff02::1', 'ff02::fb', 'ff0e::1'].map(
      (address): Stray => ({ id: `multicast ${address}`, ...outside, kind: 'udp', address, port: 5353 }),
    ),
    ...['255.255.255.255', '203.0.113.255', '10.200.0.255'].map(
      (address): Stray => ({
        id: `broadcast ${address}`,
        ...outside,
        kind: 'udp',
        address,
        port: 9,
        isBroadcast: true,
      }),
    ),
    ...sockets.map(({ name, ...numbers }): Stray => ({ id: `socket ${name}`, ...outside, kind: 'socket', ...numbers })),
    ...unixPaths.map(
      (path): Stray => ({
        id: `unix ${path}`,
        ...outside,
        kind: 'unix',
        path,
        ...(path.startsWith('@') ? { say: hello } : {}),
      }),
    ),
    {
      id: 'http absolute',
      ...through,
      kind: 'tcp',
      say: `GET http://${urlOf(elsewhere)}/stray HTTP/1.1\r\nHost: ${elsewhere}\r\nConnection: close\r\n\r\n`,
    },
    { id: 'http foreign host', ...through, kind: 'tcp', say: hello },
    {
      id: 'http connect',
      ...through,
      kind: 'tcp',
      say: `CONNECT ${elsewhere}:80 HTTP/1.1\r\nHost: ${elsewhere}:80\r\n\r\n`,
    },
    {
      id: 'http two hosts',
      ...through,
      kind: 'tcp',
      say: `GET / HTTP/1.1\r\nHost: ${urlOf(aim.address)}\r\nHost: ${elsewhere}\r\nConnection: close\r\n\r\n`,
    },
    {
      id: 'http smuggled',
      ...through,
      kind: 'tcp',
      say: `POST / HTTP/1.1\r\nHost: ${urlOf(aim.address)}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://${elsewhere}/stray HTTP/1.1\r\nHost: ${elsewhere}\r\n\r\n`,
    },
    { id: 'tls foreign name', ...through, kind: 'tls', name: 'stray.example', say: hello },
  ];
}

const here = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

export const strayNames = { program: 'stray-program.mjs', tries: 'stray-tries.json' } as const;

/** Files for the work folder of a room; started as `node stray-program.mjs stray-tries.json`. */
export function strayFiles(
  tries: readonly Stray[],
  { timeoutMs = 1500, atOnce = 48 } = {},
): readonly { readonly name: string; readonly content: Uint8Array }[] {
  return [
    { name: strayNames.program, content: here('stray-program.mjs') },
    { name: strayNames.tries, content: Buffer.from(JSON.stringify({ tries, timeoutMs, atOnce })) },
  ];
}

/** Throws unless every try has an outcome: a scanner that was stopped halfway proves nothing. */
export function readStrays(output: Buffer, tries: readonly Stray[]): ReadonlyMap<string, StrayResult> {
  const lines = output.toString('utf8').split('\n').filter(Boolean);
  const results = new Map(
    lines
      .map((line) => JSON.parse(line) as StrayResult)
      .flatMap((one) => (one.id === undefined ? [] : [[one.id, one]])),
  );
  const missing = tries.filter(({ id }) => !results.has(id)).map(({ id }) => id);
  if (missing.length > 0) throw new Error(`no outcome for ${missing.length} tries: ${missing.slice(0, 5).join('; ')}`);
  return results;
}
