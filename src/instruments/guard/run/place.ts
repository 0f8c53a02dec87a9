import { randomBytes } from 'node:crypto';
import type { Event } from '../../../base/event-schema.ts';
import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import type { Box, BoxFolders, BoxProcess, BoxRecord, SpawnOptions } from '../../../engine/box/contract.ts';
import type { CellNetwork } from '../../../engine/cell/network.ts';
import type { EgressAttempts } from '../../../engine/net/egress/attempts.ts';
import type { EgressGateOptions } from '../../../engine/net/egress/gate.ts';
import type { EgressMode } from '../../../engine/net/egress/rules-in-force.ts';
import type { NetEvent } from '../../../engine/net/event.ts';
import type { BoxWishes } from './contract.ts';

/** Where the server runs: a plain box, or a cell where somebody wants to see what it does. */

export interface ServerPlace {
  readonly record: BoxRecord;
  readonly folders: BoxFolders;
  spawn(argv: readonly string[], options: SpawnOptions): Promise<BoxProcess>;
  /** False where there is no gate that could be told. */
  applyEgress(rules: readonly NetworkRule[], mode: EgressMode): Promise<boolean>;
  /** The file that stands for its network; null where it has none that can be entered. */
  readonly network: string | null;
  /** What the gate has counted. */
  readonly attempts: EgressAttempts;
  /** For a look at what was written. */
  readonly box: Pick<Box, 'diff' | 'get'>;
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly box: BoxWishes;
  /** Looks at what leaves through the gate. */
  readonly inspect: NonNullable<EgressGateOptions['inspect']>;
  /** Of a plain box: the gate waits for it. */
  readonly onNetEvents: (events: readonly NetEvent[]) => Promise<void>;
}

export interface WatchedOptions extends Omit<PlaceOptions, 'onNetEvents'> {
  readonly folder: string;
  readonly onEvents: (events: readonly Event[]) => void | Promise<void>;
}

const nothingTried: EgressAttempts = { blocked: 0, unlisted: 0 };

async function applyTo(gate: CellNetwork['gate'], rules: readonly NetworkRule[], mode: EgressMode): Promise<boolean> {
  if (gate === null) return false;
  await gate.setRules(rules, mode);
  return true;
}

async function openGate(policy: Policy, { box, inspect, onNetEvents }: PlaceOptions): Promise<CellNetwork | null> {
  if (policy.network.mode === 'none') return null;
  // Most servers have no network; those that have none do not wait for its code.
  const { openNetwork } = await import('../../../engine/cell/network.ts');
  const runId = randomBytes(6).toString('hex');
  return openNetwork(policy, { runId, backend: box.backend, onEvents: onNetEvents, inspect });
}

export async function openPlain(policy: Policy, options: PlaceOptions): Promise<ServerPlace> {
  const [{ createBox }, network] = await Promise.all([
    import('../../../engine/box/choose.ts'),
    openGate(policy, options),
  ]);
  let box: Box;
  try {
    const joined = network === null ? {} : { network: network.network, systemFiles: network.systemFiles };
    box = await createBox(policy, { ...options.box, ...joined });
  } catch (error) {
    await network?.close();
    throw error;
  }
  return {
    get record() {
      return box.record;
    },
    folders: box.folders,
    box,
    network: network === null || !box.record.isOnNetwork ? null : network.network.path,
    spawn: (argv, spawnOptions) => box.spawn(argv, withNetwork(policy, network, spawnOptions)),
    applyEgress: (rules, mode) => applyTo(network?.gate ?? null, rules, mode),
    get attempts() {
      return network?.gate?.attempts ?? nothingTried;
    },
    close: async () => {
      try {
        await box.close();
      } finally {
        await network?.close();
      }
    },
  };
}

/** A fake internet has certificates of its own; they are given only where the policy lets their variables in. */
function withNetwork(policy: Policy, network: CellNetwork | null, options: SpawnOptions): SpawnOptions {
  const listed = new Set(policy.environment.filter(({ value }) => value === undefined).map(({ name }) => name));
  const own = Object.entries(network?.environment ?? {}).filter(([name]) => listed.has(name));
  return own.length === 0
    ? options
    : { ...options, environment: { ...Object.fromEntries(own), ...options.environment } };
}

export async function openWatched(policy: Policy, options: WatchedOptions): Promise<ServerPlace> {
  const { Cell } = await import('../../../engine/cell/cell.ts');
  const { box, folder, inspect, onEvents } = options;
  // No decoys: a server that people work with is not to be led astray. Its phase is that of real use from the beginning.
  const cell = await Cell.open(policy, { ...box, folder, decoys: null, phase: 'use', inspect, onEvents });
  return {
    get record() {
      return cell.box.record;
    },
    folders: cell.box.folders,
    box: cell.box,
    network: cell.box.record.isOnNetwork ? cell.network : null,
    spawn: (argv, spawnOptions) => cell.spawn(argv, spawnOptions),
    applyEgress: (rules, mode) => applyTo(cell.gate, rules, mode),
    get attempts() {
      return cell.gate?.attempts ?? nothingTried;
    },
    close: async () => void (await cell.close()),
  };
}
