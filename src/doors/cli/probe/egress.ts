import { exitCodes, UsageError } from '../../../base/errors.ts';
import { runTool } from '../../../base/process.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { hostResolver } from '../../../engine/net/index.ts';
import {
  applyHostRules,
  chainPrefix,
  checkedNetwork,
  describeHostRules,
  type HeldNetwork,
  inspectDockerNetwork,
  nameOfSubnets,
  notHeld,
  planHostRules,
  type RuleMaker,
  type RulePlan,
  type RunHost,
  reachOfScope,
  removeHostRules,
  ruleMakers,
  tableName,
} from '../../../instruments/probe/host-rules/index.ts';
import {
  endsAt,
  formatPorts,
  type LoadedScope,
  loadScope,
  objectToTime,
} from '../../../instruments/probe/scope/index.ts';
import { readProbeOptions } from '../../settings/index.ts';
import type { Door } from '../definition.ts';
import { count } from '../terminal/index.ts';

export interface EgressWishes {
  readonly network?: string | undefined;
  readonly subnet: readonly string[];
  readonly bridge?: string | undefined;
  readonly scope?: string | undefined;
  readonly dnsResolver: readonly string[];
  readonly with?: string | undefined;
  readonly dryRun: boolean;
  readonly down: boolean;
}

const safe = (text: string): string => forTerminal(untrusted(text, 300));

const wherever: Readonly<Record<RuleMaker, (name: string) => string>> = {
  nft: (name) => `table inet ${tableName(name)}`,
  iptables: (name) => `chains ${chainPrefix(name)}-* of iptables and ip6tables`,
};

/** The rules are found again by this, also when the network is gone. */
function nameOf({ network, subnet }: EgressWishes): string {
  if ((network === undefined) === (subnet.length === 0)) {
    throw new UsageError('hotcell probe egress needs either --network or --subnet', {
      hint: 'such as --network redbox, or --subnet 172.28.0.0/24',
    });
  }
  return network === undefined ? nameOfSubnets(subnet) : checkedNetwork(network);
}

function makerOf({ with: wish }: EgressWishes): RuleMaker | null {
  if (wish === undefined) return null;
  const maker = ruleMakers.find((each) => each === wish);
  if (maker === undefined) throw new UsageError(`--with: expected ${ruleMakers.join(' or ')}, not ${safe(wish)}`);
  return maker;
}

function checkCombination({ network, bridge, down, dryRun }: EgressWishes): void {
  if (network !== undefined && bridge !== undefined) {
    throw new UsageError('--bridge goes with --subnet; with --network the engine says which it is');
  }
  if (down && dryRun) throw new UsageError('--down has nothing to print; give it without --dry-run');
}

async function heldNetwork(wishes: EgressWishes, name: string, door: Door, run: RunHost): Promise<HeldNetwork> {
  const { network, subnet, bridge = null } = wishes;
  const { dockerSocket } = door.settings.values;
  return network === undefined ? { name, subnets: subnet, bridge } : inspectDockerNetwork(network, dockerSocket, run);
}

async function scopeInForce(wishes: EgressWishes, door: Door): Promise<LoadedScope> {
  const { scopeFile, environment } = readProbeOptions({ scope: wishes.scope }, door.caller, door.settings);
  if (scopeFile === null) {
    throw new UsageError('there is no scope, so there is nothing that the containers may reach', {
      hint: 'write who may be scanned into a file and name it with --scope FILE or HOTCELL_PROBE_SCOPE',
      code: 'NO_SCOPE',
    });
  }
  const scope = await loadScope({ file: scopeFile, environment, resolve: hostResolver(), now: Date.now() });
  const objection = objectToTime(scope, Date.now());
  if (objection !== null) throw new UsageError(`no rules are set now: ${objection}`);
  return scope;
}

function needRoot(door: Door): void {
  if (door.caller.userId === 0) return;
  throw notHeld('only root can set rules of the host', { hint: 'run it as root; --dry-run prints the rules without' });
}

/** A container resolves names by itself; these lines make it use the addresses that the rules let through. */
function pinLines({ pins }: LoadedScope): readonly string[] {
  return [...pins].flatMap(([name, addresses]) => addresses.map((address) => `  --add-host ${safe(name)}:${address}`));
}

function summary(plan: RulePlan, by: RuleMaker, scope: LoadedScope, { style, symbols }: Door['terminal']): string {
  const { subnets, targets, resolvers, bridge, until } = plan;
  const pins = pinLines(scope);
  const from = [...subnets[4], ...subnets[6], ...(bridge === null ? [] : [`interface ${bridge}`])].join(', ');
  const reached = targets[4].length + targets[6].length;
  const asked = [...resolvers[4], ...resolvers[6]];
  return [
    `${style.good(symbols.good)} held: ${from}`,
    `  by ${wherever[by](plan.name)}, read back`,
    `  reaches ${count(reached, 'address or range', 'addresses or ranges')} on TCP ${formatPorts(plan.ports)}`,
    ...(asked.length === 0 ? [] : [`  asks ${asked.join(', ')} for names`]),
    ...(until === null ? [] : [`  until ${until.toISOString()}; from then on nothing`]),
    `  scope ${safe(scope.name)}, fingerprint ${scope.fingerprint}`,
    ...(pins.length === 0 ? [] : ['  names have their addresses from now; start the containers with', ...pins]),
    '',
  ].join('\n');
}

async function takeDown(name: string, maker: RuleMaker | null, door: Door, run: RunHost): Promise<number> {
  needRoot(door);
  const makers = await removeHostRules(name, maker, run);
  const { style, symbols } = door.terminal;
  const places = makers.map((maker) => wherever[maker](name)).join(', ');
  door.stdout.write(`${style.good(symbols.good)} there are no such rules any more: ${places}\n`);
  return exitCodes.clean;
}

export async function runProbeEgress(wishes: EgressWishes, door: Door, run: RunHost = runTool): Promise<number> {
  const name = nameOf(wishes);
  checkCombination(wishes);
  const maker = makerOf(wishes);
  if (wishes.down) return takeDown(name, maker, door, run);
  if (!wishes.dryRun) needRoot(door);
  const scope = await scopeInForce(wishes, door);
  const end = endsAt(scope, Date.now());
  const reach = reachOfScope(scope, end === null ? null : new Date(end));
  const held = await heldNetwork(wishes, name, door, run);
  const plan = planHostRules(reach, { ...held, resolvers: wishes.dnsResolver });
  const { style, symbols } = door.errorTerminal;
  for (const note of [...scope.notes, ...plan.notes]) door.stderr.write(`${style.warn(symbols.warn)} ${safe(note)}\n`);
  if (wishes.dryRun) {
    door.stdout.write(await describeHostRules(plan, maker, run));
    return exitCodes.clean;
  }
  const { by } = await applyHostRules(plan, maker, run);
  door.stdout.write(summary(plan, by, scope, door.terminal));
  return exitCodes.clean;
}
