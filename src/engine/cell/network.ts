import { join } from 'node:path';
import type { Policy } from '../../base/policy-schema.ts';
import type { BackendId, BoxNetwork, SystemFile } from '../box/contract.ts';
import {
  Capture,
  type CaptureEnd,
  EgressGate,
  type EgressGateOptions,
  FakeInternet,
  type FakeInternetOptions,
  type NetEvent,
  type NetworkNamespaces,
  resolverFile,
  trustFiles,
  type WireCompleteness,
} from '../net/index.ts';
import { wire } from '../sensor/wire.ts';

/** The network of a cell: an internet that is not there, a gate to the hosts that the policy names, or none. */

export type FakeOptions = Pick<FakeInternetOptions, 'dns' | 'scripts' | 'registries' | 'metadata' | 'caps'>;

export interface CellNetworkOptions {
  readonly runId: string;
  /** Some cannot join a network; for those none is made. */
  readonly backend: BackendId | 'auto';
  /** Where traffic.pcapng is written; without it the traffic is not kept. */
  readonly folder?: string;
  readonly fake?: FakeOptions;
  readonly onEvents: (events: readonly NetEvent[]) => Promise<void>;
  /** Looks at what leaves through a gate. */
  readonly inspect?: EgressGateOptions['inspect'];
}

export interface NetworkEnd {
  readonly wire: WireCompleteness;
  /** Null where the traffic was not kept, or tcpdump is not installed. */
  readonly capture: CaptureEnd | null;
}

export interface CellNetwork {
  readonly network: BoxNetwork;
  readonly systemFiles: readonly SystemFile[];
  readonly environment: Readonly<Record<string, string>>;
  /** Null where nothing leads outside. */
  readonly gate: EgressGate | null;
  close(): Promise<NetworkEnd>;
}

/** Inside the box, in a folder that no rule of a tier gives from the host. */
const trustFolder = '/etc/ssl/local';

async function capture(namespaces: NetworkNamespaces, folder: string | undefined): Promise<Capture | null> {
  return folder === undefined ? null : Capture.start(namespaces, { file: join(folder, 'traffic.pcapng') });
}

async function openFake({ runId, folder, fake = {}, onEvents }: CellNetworkOptions): Promise<CellNetwork> {
  let recording: Capture | null = null;
  const internet = await FakeInternet.start({
    ...fake,
    runId,
    onEvents,
    onKeys: (lines) => recording?.addKeys(lines),
  });
  try {
    recording = await capture(internet.namespaces, folder);
    const trust = await trustFiles({ authorityPem: internet.authority.certificatePem, folder: trustFolder });
    return {
      network: { path: internet.namespaces.boxPath, names: internet.namespaces.paths },
      systemFiles: trust.files,
      environment: trust.environment,
      gate: null,
      async close() {
        const ended = (await recording?.stop()) ?? null;
        return { wire: await internet.close(), capture: ended };
      },
    };
  } catch (error) {
    await internet.close();
    throw error;
  }
}

async function openGate(
  policy: Policy,
  { runId, folder, onEvents, inspect }: CellNetworkOptions,
): Promise<CellNetwork> {
  const gate = await EgressGate.start({ runId, policy, onEvents, ...(inspect === undefined ? {} : { inspect }) });
  try {
    const recording = await capture(gate.namespaces, folder);
    return {
      network: { path: gate.namespaces.boxPath, names: gate.namespaces.paths },
      systemFiles: [resolverFile],
      environment: {},
      gate,
      async close() {
        const ended = (await recording?.stop()) ?? null;
        return { wire: await gate.close(), capture: ended };
      },
    };
  } catch (error) {
    await gate.close();
    throw error;
  }
}

/** Null where the policy wants none, and where this user cannot make one: the box says that its network is closed. */
export async function openNetwork(policy: Policy, options: CellNetworkOptions): Promise<CellNetwork | null> {
  if (policy.network.mode === 'none' || process.getuid?.() !== 0) return null;
  if (options.backend !== 'auto' && !wire.backends.includes(options.backend)) return null;
  return policy.network.mode === 'fake' ? openFake(options) : openGate(policy, options);
}
