import type { ScannerName } from './contract.ts';
import type { NetworkLayer } from './options.ts';
import type { Probe } from './probe.ts';
import { objectToTime } from './scope/index.ts';

/** The scope as it is told to people and agents; a credential is a name here and nothing more. */

export interface DescribedScope {
  readonly name: string;
  readonly fingerprint: string;
  readonly network: NetworkLayer;
  readonly authorization: Record<string, string>;
  readonly targets: string[];
  readonly pins: Record<string, string[]>;
  /** Null: all. */
  readonly ports: string[] | null;
  readonly urls: string[];
  readonly methods: string[];
  readonly credentials: string[];
  readonly objection: string | null;
  readonly scanners: { name: ScannerName; is_available: boolean; because: string | null }[];
  readonly notes: string[];
}

export async function describeScope(probe: Probe, now: number): Promise<DescribedScope> {
  const { scope, options } = probe;
  const { document } = scope;
  const scanners = await probe.available();
  const authorization = Object.entries(document.authorization).filter(([, value]) => value !== undefined);
  return {
    name: scope.name,
    fingerprint: scope.fingerprint,
    network: options.networkLayer,
    authorization: Object.fromEntries(authorization.map(([key, value]) => [key, String(value)])),
    targets: [...document.targets],
    pins: Object.fromEntries([...scope.pins].map(([name, addresses]) => [name, [...addresses]])),
    ports: document.ports?.map(String) ?? null,
    urls: [...(document.urls ?? [])],
    methods: [...scope.methods],
    credentials: (document.credentials ?? []).map(({ name }) => name),
    objection: objectToTime(scope, now),
    scanners: scanners.map(({ name, isAvailable, because }) => ({ name, is_available: isAvailable, because })),
    notes: [...scope.notes],
  };
}
