import { readdir } from 'node:fs/promises';
import { UsageError } from '../../base/errors.ts';
import { runTool, runToolOrFail } from '../../base/process.ts';
import {
  boxAddress,
  boxLink,
  catchAllPort,
  namespacePrefix,
  prefixLength,
  routerAddress,
  routerLink,
} from './layout.ts';
import { type RouterRuleOptions, routerRules } from './nft-rules.ts';
import { findAbandoned, forgetOwner, noteOwner } from './owners.ts';

/**
 * Two network namespaces and a wire between them:
 *
 *     box: lo, eth0 ───── wire, lo :router        (no other interface in either)
 *
 * In the router every address is local, so it answers for the whole internet, and nothing can leave.
 */

const folder = '/run/netns';

/**
 * Settings of the router's own network stack. The router process gives up root, and must still answer from any
 * address and any port.
 */
const settings: readonly (readonly [string, string])[] = [
  ['net/ipv4/ip_unprivileged_port_start', '0'],
  ['net/ipv6/ip_nonlocal_bind', '1'],
  ['net/ipv4/ip_forward', '0'],
  ['net/ipv6/conf/all/forwarding', '0'],
  ['net/ipv4/conf/all/rp_filter', '0'],
];

function routerCommands(box: string): readonly string[] {
  return [
    'link set lo up',
    `link add ${routerLink} type veth peer name ${boxLink} netns ${box}`,
    `addr add ${routerAddress.ipv4}/${prefixLength.ipv4} dev ${routerLink}`,
    `addr add ${routerAddress.ipv6}/${prefixLength.ipv6} dev ${routerLink} nodad`,
    `link set ${routerLink} up`,
    // The way back to the box stands in the same table as "everything is local", where the longer prefix wins.
    `route add ${boxAddress.ipv4}/32 dev ${routerLink} table local`,
    `-6 route add ${boxAddress.ipv6}/128 dev ${routerLink} table local`,
    'route add local 0.0.0.0/0 dev lo',
    '-6 route add local ::/0 dev lo',
  ];
}

const boxCommands: readonly string[] = [
  'link set lo up',
  `addr add ${boxAddress.ipv4}/${prefixLength.ipv4} dev ${boxLink}`,
  `addr add ${boxAddress.ipv6}/${prefixLength.ipv6} dev ${boxLink} nodad`,
  `link set ${boxLink} up`,
  `route add default via ${routerAddress.ipv4}`,
  `-6 route add default via ${routerAddress.ipv6}`,
];

async function runCommands(namespace: string, commands: readonly string[]): Promise<void> {
  for (const command of commands) await runToolOrFail('ip', ['-n', namespace, ...command.split(' ')]);
}

export interface NamespaceNames {
  readonly router: string;
  readonly box: string;
}

const runIdPattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function namespaceNames(runId: string): NamespaceNames {
  if (!runIdPattern.test(runId)) {
    throw new UsageError(`cannot name a network after run ${JSON.stringify(runId.slice(0, 80))}`, {
      hint: 'a run id has lower-case letters, digits and dashes',
    });
  }
  return { router: `${namespacePrefix}${runId}-router`, box: `${namespacePrefix}${runId}-box` };
}

async function deleteNamespace(name: string): Promise<void> {
  const result = await runTool('ip', ['netns', 'delete', name]);
  if (result.code === 0) return;
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (names.includes(name)) await runToolOrFail('ip', ['netns', 'delete', name]);
}

export class NetworkNamespaces implements AsyncDisposable {
  readonly names: NamespaceNames;
  readonly #runId: string;

  private constructor(runId: string, names: NamespaceNames) {
    this.#runId = runId;
    this.names = names;
  }

  static async create(runId: string, options: RouterRuleOptions = { answersEcho: true }): Promise<NetworkNamespaces> {
    const names = namespaceNames(runId);
    const isNoted = await noteOwner(runId);
    const added = await runTool('ip', ['netns', 'add', names.router]);
    if (added.code !== 0) {
      // Somebody else's, by that name.
      if (isNoted) await forgetOwner(runId);
      await runToolOrFail('ip', ['netns', 'add', names.router]);
    }
    const made = new NetworkNamespaces(runId, names);
    try {
      await runToolOrFail('ip', ['netns', 'add', names.box]);
      await runCommands(names.router, routerCommands(names.box));
      await runCommands(names.box, boxCommands);
      const script = settings.map(([path, value]) => `echo ${value} > /proc/sys/${path}`).join(' && ');
      await runToolOrFail('ip', made.inRouter(['sh', '-c', script]));
      const rules = routerRules(routerLink, catchAllPort, options);
      await runToolOrFail('ip', made.inRouter(['nft', '-f', '-']), { input: rules });
      return made;
    } catch (error) {
      await made.close();
      throw error;
    }
  }

  /** Arguments of `ip` that start a program in the router's namespace. */
  inRouter(argv: readonly string[]): readonly string[] {
    return ['netns', 'exec', this.names.router, ...argv];
  }

  /** Arguments of `ip` that start a program (a box's own runtime) in the box's namespace. */
  inBox(argv: readonly string[]): readonly string[] {
    return ['netns', 'exec', this.names.box, ...argv];
  }

  /** A file that stands for the box's network, for runtimes that join one by path. */
  get boxPath(): string {
    return `${folder}/${this.names.box}`;
  }

  /** The files of both. */
  get paths(): readonly string[] {
    return [this.boxPath, `${folder}/${this.names.router}`];
  }

  /** Removes both namespaces; the wire goes with them. Processes inside keep theirs until they end. */
  async close(): Promise<void> {
    await deleteNamespace(this.names.box);
    await deleteNamespace(this.names.router);
    await forgetOwner(this.#runId);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Namespaces that earlier runs left behind. Whoever calls knows which runs are still alive. */
export async function findLeftoverNamespaces(isAlive: (runId: string) => boolean): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => {
    const [, runId] = /^hotcell-(.+)-(?:router|box)$/.exec(name) ?? [];
    return runId !== undefined && !isAlive(runId);
  });
}

export async function removeNamespaces(names: readonly string[]): Promise<void> {
  for (const name of names) if (name.startsWith(namespacePrefix)) await deleteNamespace(name);
}

/** Removes networks whose process was killed before a box could answer for them; gives their names. */
export async function cleanNetworks(): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const runId of await findAbandoned()) {
    const { router, box } = namespaceNames(runId);
    const there: readonly string[] = await readdir(folder).catch(() => []);
    const left = [router, box].filter((name) => there.includes(name));
    await removeNamespaces(left);
    await forgetOwner(runId);
    removed.push(...left);
  }
  return removed;
}
