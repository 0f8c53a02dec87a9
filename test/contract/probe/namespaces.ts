import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { runTool, runToolOrFail } from '../../../src/base/process.ts';
import { catcherPorts, gateway, hardware, link, mark, outer, target, targetPorts } from './places.ts';

/**
 * Two network namespaces and a wire, with nothing beyond:
 *
 *     outer: lo, wire ───── wire, lo :there
 *
 * In `there` every address is local, so that whatever leaves `outer` arrives, is counted and is answered.
 */

const folder = '/run/netns';
const prefix = 'probe-world-';

export interface Namespaces {
  readonly outer: string;
  readonly there: string;
}

export const pathOf = (name: string): string => `${folder}/${name}`;

/** Arguments of nsenter; the program takes the place of nsenter, so that its process is the program's. */
export const within = (name: string, argv: readonly string[]): readonly string[] => [
  `--net=${pathOf(name)}`,
  '--',
  ...argv,
];

/** Neighbours are known beforehand and everything is behind the gateway: nobody has to ask on the wire who is who. */
function outerCommands(): readonly string[] {
  return [
    'link set lo up',
    `link set ${link} address ${hardware.outer}`,
    `addr add ${outer.ipv4}/32 dev ${link}`,
    `addr add ${outer.ipv6}/128 dev ${link} nodad`,
    `link set ${link} up`,
    `neigh add ${gateway.ipv4} lladdr ${hardware.there} dev ${link} nud permanent`,
    `neigh add ${gateway.ipv6} lladdr ${hardware.there} dev ${link} nud permanent`,
    `route add default via ${gateway.ipv4} dev ${link} onlink`,
    `route add default via ${gateway.ipv6} dev ${link} onlink`,
  ];
}

function thereCommands(outerName: string): readonly string[] {
  return [
    'link set lo up',
    `link add ${link} type veth peer name ${link} netns ${outerName}`,
    `link set ${link} address ${hardware.there}`,
    `addr add ${gateway.ipv4}/32 dev ${link}`,
    `addr add ${gateway.ipv6}/128 dev ${link} nodad`,
    `addr add ${target.ipv4}/32 dev lo`,
    `addr add ${target.ipv6}/128 dev lo nodad`,
    `link set ${link} up`,
    `neigh add ${outer.ipv4} lladdr ${hardware.outer} dev ${link} nud permanent`,
    `neigh add ${outer.ipv6} lladdr ${hardware.outer} dev ${link} nud permanent`,
    // Stands in the same table as "everything is local", where the longer prefix wins.
    `route add ${outer.ipv4}/32 dev ${link} table local`,
    `route add ${outer.ipv6}/128 dev ${link} table local`,
    'route add local 0.0.0.0/0 dev lo',
    'route add local ::/0 dev lo',
  ];
}

const settings = [
  'net/ipv4/ip_forward=0',
  'net/ipv4/conf/all/rp_filter=0',
  'net/ipv4/conf/default/rp_filter=0',
  'net/ipv6/conf/all/forwarding=0',
  'net/ipv6/conf/all/accept_ra=0',
  'net/ipv6/conf/default/accept_ra=0',
  'net/ipv6/conf/default/router_solicitations=0',
  'net/ipv6/conf/default/addr_gen_mode=1',
  'net/ipv6/ip_nonlocal_bind=1',
];

const rules = `
table inet world {
  set seen4 { type ipv4_addr . inet_proto; flags dynamic; size 65535; counter; }
  set seen6 { type ipv6_addr . inet_proto; flags dynamic; size 65535; counter; }
  chain count {
    type filter hook prerouting priority raw;
    ip daddr ${mark.address} drop
    iifname ${link} update @seen4 { ip daddr . meta l4proto counter }
    iifname ${link} update @seen6 { ip6 daddr . meta l4proto counter }
  }
  chain lead {
    type nat hook prerouting priority dstnat;
    iifname != ${link} accept
    ip daddr ${target.ipv4} accept
    ip6 daddr ${target.ipv6} accept
    udp dport 53 redirect to :${catcherPorts.names}
    tcp dport 53 redirect to :${catcherPorts.names}
    meta l4proto tcp redirect to :${catcherPorts.stream}
    meta l4proto udp redirect to :${catcherPorts.datagram}
  }
  chain silence {
    type filter hook input priority filter;
    ip daddr ${target.ipv4} tcp dport ${targetPorts.silent} drop
    ip6 daddr ${target.ipv6} tcp dport ${targetPorts.silent} drop
  }
}
`;

async function set(name: string): Promise<void> {
  const script = settings.map((setting) => `echo ${setting.split('=')[1]} > /proc/sys/${setting.split('=')[0]}`);
  await runToolOrFail('nsenter', within(name, ['sh', '-c', script.join(' && ')]));
}

/** One process for all of it: a world is made quickly or not at all. */
const configure = (name: string, commands: readonly string[]) =>
  runToolOrFail('ip', ['-n', name, '-batch', '-'], { input: `${commands.join('\n')}\n` });

export async function makeNamespaces(id: string): Promise<Namespaces> {
  const names = { outer: `${prefix}${process.pid}-${id}-outer`, there: `${prefix}${process.pid}-${id}-there` };
  try {
    for (const name of [names.outer, names.there]) {
      await runToolOrFail('ip', ['netns', 'add', name]);
      await set(name);
    }
    await configure(names.there, thereCommands(names.outer));
    await configure(names.outer, outerCommands());
    await runToolOrFail('nsenter', within(names.there, ['nft', '-f', '-']), { input: rules });
    return names;
  } catch (error) {
    await removeNamespaces([names.outer, names.there]);
    throw error;
  }
}

/** Processes whose network is one of these. */
export function processesIn(names: readonly string[]): readonly number[] {
  const wanted = new Set(
    names.flatMap((name) => {
      const inode = statSync(pathOf(name), { throwIfNoEntry: false })?.ino;
      return inode === undefined ? [] : [`net:[${inode}]`];
    }),
  );
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        return wanted.has(readlinkSync(`/proc/${entry}/ns/net`));
      } catch {
        // It ended while we looked.
        return false;
      }
    })
    .map(Number);
}

export async function removeNamespaces(names: readonly string[]): Promise<void> {
  const limit = Date.now() + 5000;
  for (let left = processesIn(names); left.length > 0 && Date.now() < limit; left = processesIn(names)) {
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // ESRCH: it ended by itself.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const name of names) {
    if (statSync(pathOf(name), { throwIfNoEntry: false }) !== undefined) await runTool('ip', ['netns', 'delete', name]);
  }
}

/** Names that begin with a world's prefix and the number of a process that is gone: its test was killed. */
export function abandonedIn(place: string, beginning: RegExp): readonly string[] {
  const names = statSync(place, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(place);
  return names.filter((name) => {
    const [, pid] = beginning.exec(name) ?? [];
    return pid !== undefined && statSync(`/proc/${pid}`, { throwIfNoEntry: false }) === undefined;
  });
}

export const removeAbandoned = (): Promise<void> => removeNamespaces(abandonedIn(folder, /^probe-world-(\d+)-/));
