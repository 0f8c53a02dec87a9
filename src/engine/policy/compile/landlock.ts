import type { Policy } from '../../../base/policy-schema.ts';
import type { Compiled } from '../gap.ts';
import { isUnrestricted } from '../network.ts';
import { ancestorsOf } from '../paths.ts';
import { landlockGaps } from './landlock-gaps.ts';
import {
  bindTcp,
  bits,
  connectTcp,
  handledFileSystem,
  handledNetwork,
  handledScopes,
  nameRights,
  rightsOf,
} from './landlock-rights.ts';
import { layOut, type PathEntry } from './layout.ts';
import type { Place } from './place.ts';

/** A Landlock ruleset, ready for landlock_create_ruleset and landlock_add_rule. */

export interface LandlockPath {
  /** Real path on the host. */
  readonly path: string;
  readonly access: bigint;
}

export interface LandlockPort {
  readonly port: number;
  readonly access: bigint;
}

export interface LandlockRuleset {
  readonly abi: number;
  readonly handledFs: bigint;
  readonly handledNet: bigint;
  readonly scoped: bigint;
  readonly paths: readonly LandlockPath[];
  readonly ports: readonly LandlockPort[];
  /** The same for people. */
  readonly lines: readonly string[];
}

/** The newest interface these compilers know. */
const newestAbi = 7;

/**
 * What /proc says of the machine. Not the processes of the host, not its sockets: the target's own process is added by
 * whoever starts it, since its number is not known before.
 */
const machineFacts = [
  'cpuinfo',
  'filesystems',
  'loadavg',
  'meminfo',
  'stat',
  'sys/kernel',
  'sys/vm',
  'uptime',
  'version',
].map((name) => `/proc/${name}`);
const readableDevices = ['/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];

/** What every box has without a rule: facts about the machine, the harmless devices, and the airlock. */
function ownPaths(place: Place, abi: number): LandlockPath[] {
  return [
    ...machineFacts.map((path) => ({
      path,
      access: bits(path.startsWith('/proc/sys') ? ['readFile', 'readFolder'] : ['readFile'], abi),
    })),
    { path: '/dev/null', access: bits(['readFile', 'writeFile', 'truncate'], abi) },
    ...readableDevices.map((path) => ({ path, access: bits(['readFile'], abi) })),
    { path: place.airlock.script, access: bits(['readFile'], abi) },
  ];
}

/** Rules add up along a path, so one that gives no more than an ancestor's is left out. */
function withoutRedundant(paths: readonly LandlockPath[]): readonly LandlockPath[] {
  const united = new Map<string, bigint>();
  for (const { path, access } of paths) united.set(path, (united.get(path) ?? 0n) | access);
  return Array.from(united, ([path, access]) => ({ path, access })).filter(({ path, access }) => {
    const above = ancestorsOf(path).reduce((sum, each) => sum | (united.get(each) ?? 0n), 0n);
    return (access & ~above) !== 0n;
  });
}

function pathOf(entry: PathEntry, abi: number): LandlockPath {
  return { path: entry.source, access: rightsOf(entry.access, entry.type, abi) };
}

/** Landlock knows ports but neither names nor addresses: only rules for everybody can be given. */
function portsOf(policy: Policy): LandlockPort[] {
  if (policy.network.mode !== 'allowlist') return [];
  const ports = policy.network.rules.flatMap(({ host, port }) => (host === '*' && port !== '*' ? [port] : []));
  return Array.from(new Set(ports)).map((port) => ({ port, access: connectTcp }));
}

function describe(ruleset: Omit<LandlockRuleset, 'lines'>): readonly string[] {
  const names = (value: bigint): string => nameRights(value).join(' ');
  const { abi, handledFs, handledNet, scoped } = ruleset;
  return [
    `Landlock ABI ${abi}`,
    `refused unless allowed below: ${names(handledFs)}`,
    ...ruleset.paths.map(({ path, access }) => `${path.replaceAll('\n', '\\n')}: ${names(access)}`),
    handledNet & bindTcp ? 'listening on TCP ports: refused' : 'listening on TCP ports: not restricted',
    handledNet & connectTcp
      ? `connecting to TCP ports: ${ruleset.ports.map(({ port }) => port).join(' ') || 'refused'}`
      : 'connecting to TCP ports: not restricted',
    scoped === 0n
      ? 'signals and abstract sockets: not restricted'
      : 'signals and abstract sockets: only within the box',
  ];
}

export function compileLandlock(policy: Policy, place: Place): Compiled<LandlockRuleset> {
  const abi = Math.min(place.landlockAbi, newestAbi);
  const layout = layOut(policy, place);
  const given = layout.entries.map((entry) => pathOf(entry, abi));
  const handledNet = isUnrestricted(policy) ? handledNetwork(abi) & ~connectTcp : handledNetwork(abi);
  const ruleset = {
    abi,
    handledFs: handledFileSystem(abi),
    handledNet,
    scoped: handledScopes(abi),
    paths: withoutRedundant([...given, ...ownPaths(place, abi)]),
    ports: (handledNet & connectTcp) === 0n ? [] : portsOf(policy),
  };
  return {
    value: { ...ruleset, lines: describe(ruleset) },
    gaps: [...layout.gaps, ...landlockGaps(policy, place, abi)],
  };
}
